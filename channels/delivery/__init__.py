"""Delivery between the platforms and Rasa for every channel: each message once, in order for each student."""
