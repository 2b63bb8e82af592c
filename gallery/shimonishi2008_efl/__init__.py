"""EFL: A Congestion Control Algorithm for Data Center Area Communications. The README says what is asked and read."""
