"""The history of the channels' database."""
