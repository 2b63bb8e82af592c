"""Files of others, in and out: fabrics, subnet managers, NICs and switches, workloads, traces."""
