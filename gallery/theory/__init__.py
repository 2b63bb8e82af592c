"""Theory: uniform, permutation and incast traffic compared with well-known closed forms."""
