"""Applications: where their ranks are, what they do and when, and the messages between them."""
