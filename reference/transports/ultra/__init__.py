"""The transport of Ultra Ethernet: packets spread over paths, acknowledged one by one, and windows or credit."""
