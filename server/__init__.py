"""What runs inside Rasa's process (Python 3.10): NLU components and channels. Imports nothing of ours from outside."""
