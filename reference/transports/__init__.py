"""Senders and receivers that repair losses."""
