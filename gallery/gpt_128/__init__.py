"""GPT-13B on 128 accelerators: one iteration, packet by packet, and its simulation cost. The README says how."""
