"""The place of the project's own files."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder with Makefile, domain.yml and widget/; commands run here."""

NEW_SCHOOL = ROOT / "covan" / "new_school"
"""What `covan new` copies: one folder a language."""
