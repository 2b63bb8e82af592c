"""EFL: A Congestion Control Algorithm for Data Center Area Communications. The README has questions and readings."""
