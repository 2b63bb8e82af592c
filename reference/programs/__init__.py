"""The programs of applications: what each rank sends, receives and computes, and what waits for what."""
