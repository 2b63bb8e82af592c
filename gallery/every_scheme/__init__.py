"""Every scheme in the house on one fabric: an incast, a victim and short messages, side by side."""
