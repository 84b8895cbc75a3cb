"""The vocabulary of the dialogue that the actions, Rasa and the channels share. Both Python environments import it."""
