"""Migrations of the console's database."""
