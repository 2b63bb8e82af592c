"""What switches mark, and what sources do that count marks or look them up in a table."""
