"""Notes on a scenario: sentences about what works, and may not be what was meant."""
