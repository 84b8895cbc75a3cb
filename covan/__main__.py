"""`python -m covan`, the same as `covan`."""

from covan.cli import app

app()
