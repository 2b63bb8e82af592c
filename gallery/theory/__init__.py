"""Theory: uniform, permutation and incast traffic against closed forms that everybody knows."""
