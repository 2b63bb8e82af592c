"""Switches: buffers, queues, arbiters, memory, the choice of paths, and queues for congested flows."""
