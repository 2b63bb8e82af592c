"""Applications that run on the network: their programs, jobs made from a description, and what held a job."""
