"""Programs that each answered one question about the engine; the documents say what came out."""
