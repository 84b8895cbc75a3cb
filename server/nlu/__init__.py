"""NLU components for Vietnamese students' questions."""
