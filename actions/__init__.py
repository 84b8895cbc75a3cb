"""Rasa actions: thin. Each turns a tracker into a question, and the engine's reply into messages and events."""
