"""Hosts: flows, and the messages that feed them."""
