"""Escudero-Sahuquillo 2011 (Paper V): Combining Congested-Flow Isolation and Injection Throttling (CCFIT)."""
