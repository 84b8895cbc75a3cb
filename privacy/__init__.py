"""Privacy of students' words: erased rows leave no bytes behind, logs hold no words.

Both Python environments import it. It needs SQLAlchemy 1.4 or 2.
"""
