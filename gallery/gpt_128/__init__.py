"""GPT-13B on 128 accelerators: one iteration, packet by packet, and what it costs to know it. The README says how."""
