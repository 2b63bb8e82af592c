"""Commands that read and write files of others: fabrics, settings, programs, traces."""
