"""HPL-2002-4: End-to-End Congestion Control for System Area Networks. The README has questions and readings."""
