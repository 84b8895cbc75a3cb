"""Building the knowledge graph from the catalogue, course tables, entities, documents and their rules."""
