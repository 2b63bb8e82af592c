"""How switches mark, and how sources react that count marks or use a table."""
