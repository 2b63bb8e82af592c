"""The nodes of a network, and the paths between them."""
