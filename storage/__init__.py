"""What the databases of both Python environments need: erased rows leave no bytes behind. Needs SQLAlchemy 1.4 or 2."""
