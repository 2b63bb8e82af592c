"""`python -m congestree` is the `congestree` command."""

from .cli import main

main()
