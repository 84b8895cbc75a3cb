"""What a console has started ends with it, even when it is killed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rag.index.versions import current_version

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"

STARTS = """
import subprocess, sys
child = subprocess.Popen(%s, stdin=subprocess.PIPE)
print("started", flush=True)
sys.stdin.read()
"""

WATCHES = """
import os, subprocess, sys, time
from covan.parent_watch import end_with
end_with(os.getppid())
if "leads" in sys.argv:
    subprocess.Popen([sys.executable, "-c", "import time; print('watching', flush=True); time.sleep(3600)"])
else:
    print("watching", flush=True)
time.sleep(3600)
"""


def killed(starts: str, told: str) -> bytes:
    """Start a process that starts another one, kill it once `told` is said, and return what both still say.

    Its output ends when the last process that has it has ended.
    """
    parent = subprocess.Popen([sys.executable, "-c", starts], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    while (said := parent.stdout.readline().decode().strip()) != told:
        assert said
    parent.kill()
    return parent.communicate()[0]


@pytest.mark.parametrize("leads", [False, True])
def test_a_process_ends_with_the_one_that_started_it(leads: bool) -> None:
    command = f"[sys.executable, '-c', {WATCHES!r}, {'leads' if leads else ''!r}]"

    assert killed(STARTS % f"{command}, start_new_session={leads}", "watching") == b""


@pytest.mark.e5
def test_the_build_of_a_console_that_is_killed_makes_no_index(tmp_path: Path) -> None:
    school, index = shutil.copytree(SMALL_SCHOOL, tmp_path / "school"), tmp_path / "state" / "index"
    starts = (
        "import subprocess, sys, pathlib\n"
        "from covan.commands.console import build_command\n"
        f"command = build_command(pathlib.Path({str(school)!r}), pathlib.Path({str(index)!r}))\n"
        "child = subprocess.Popen(command, stdin=subprocess.DEVNULL)\n"
        "print('started', flush=True)\n"
        "sys.stdin.read()\n"
    )

    killed(starts, "started")

    assert current_version(index) is None
