"""The programs of applications: what each rank sends, receives and computes, and which operations wait for which."""
