"""Gran's thesis, chapters 1 to 3: congestion and its remedies. The README has questions and readings."""
