"""What `pages.py` writes: a module for each kind of page, and the adopted results that several are made from."""
