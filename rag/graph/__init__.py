"""The knowledge graph: its nodes and edges, the stores that hold it, and the queries that they answer."""
