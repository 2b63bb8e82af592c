"""Paper I: InfiniBand Congestion Control, Modelling and Validation. The README says what is asked and read."""
