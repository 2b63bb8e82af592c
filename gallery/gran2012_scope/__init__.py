"""Gran 2012 (Paper IV): Exploring the Scope of the InfiniBand Congestion Control Mechanism, on 648 hosts."""
