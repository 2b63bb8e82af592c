"""One run: started, watched, stored, and read again."""
