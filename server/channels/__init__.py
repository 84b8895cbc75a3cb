"""Channels: how a message of the outside world becomes a turn."""
