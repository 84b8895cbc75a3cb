"""Where the project's own files are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder with Makefile, domain.yml and widget/; commands are run from here."""
