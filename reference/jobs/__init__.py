"""Applications at work: where their ranks are, what they do when, and the messages between them."""
