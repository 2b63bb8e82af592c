"""Which nodes there are, and the ways between them."""
