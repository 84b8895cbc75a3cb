"""The NLU component of Rasa's pipeline."""
