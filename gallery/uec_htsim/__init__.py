"""Ultra Ethernet: the published runs of the consortium's simulator, with NSCC, RCCC and both. The README says how."""
