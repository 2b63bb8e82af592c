"""Paper I: InfiniBand Congestion Control, Modelling and Validation. The README has questions and readings."""
