"""What the papers of Escudero-Sahuquillo and others on isolating congested flows share."""
