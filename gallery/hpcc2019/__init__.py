"""HPCC: slowdowns that its authors published, and what is said of pauses, queues and newcomers. Readings: README."""
