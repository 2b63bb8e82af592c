"""One run: started, watched, stored, read again, and what came out of it."""
