"""Escudero-Sahuquillo 2013 (Paper VI): Efficient and Cost-Effective Hybrid Congestion Control (EcoCC)."""
