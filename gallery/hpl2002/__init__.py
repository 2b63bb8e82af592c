"""HPL-2002-4: End-to-End Congestion Control for System Area Networks. The README says what is asked and read."""
