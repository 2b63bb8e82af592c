"""Switches: buffers, queues, arbiters, memory, the choice of ways, and queues for congested flows."""
