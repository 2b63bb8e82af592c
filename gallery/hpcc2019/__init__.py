"""HPCC: published slowdowns, and what its authors say of pauses, queues and newcomers. Readings: README."""
