"""Mixture of experts on NDR InfiniBand: DeepEP's table, and when control off stops being safe. The README says how."""
