"""Gran's thesis, chapters 1 to 3: congestion, and what is done about it. The README says what is asked and read."""
