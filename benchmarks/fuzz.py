#!/usr/bin/env python3
"""Hostile input on every way in: does any of it cost a 5xx, a traceback, a hang, or another student's message?

    .venv/bin/python benchmarks/fuzz.py [--inputs 2000] [--seed 1] [--only telegram,website]

Hypothesis makes the inputs (tests/stand_ins/mutations.py): events of the platforms with fields replaced by any JSON
value, removed, doubled; bodies cut off, with flipped bits, in other encodings; odd headers, addresses and tokens.
Most are signed as the platform signs, so that they come behind that check. The real application gets them in this
process; `socket` and `internal` get bytes on a connection. `socket` is the front door's server, `internal` Rasa's:
its internal channel with a stand-in of the bot, in Rasa's own environment.

Expected: PASS, no fault on any. Otherwise up to five of each are printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

# This folder last: benchmarks/channels.py is not the package `channels`.
sys.path.append(sys.path.pop(0))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))

from entry_points import BATCHED, SETTINGS, EntryPoint, HostileDoor, entry_points
from hypothesis import HealthCheck, Phase, given, seed, settings
from rich.console import Console
from rich.table import Table

SHOWN = 5
OF_A_BATCH = 10
"""Inputs of one case of a way in that takes connections."""


def fuzz(name: str, point: EntryPoint, inputs: int, number: int) -> tuple[Counter[str], list[str]]:
    """Play as many inputs; return how many got a status of each class, and the faults."""
    statuses: Counter[str] = Counter()
    with (
        TemporaryDirectory(prefix="covan-fuzz-") as directory,
        HostileDoor(Path(directory), **SETTINGS.get(name, {})) as door,
    ):

        @seed(number)
        @settings(
            max_examples=-(-inputs // OF_A_BATCH) if name in BATCHED else inputs,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(point.cases())
        def play(case: object) -> None:
            statuses.update(f"{status // 100}xx" if status else "none" for status in door.play(point, case))

        # A space that is soon tried out ends a run early.
        while statuses.total() < inputs:
            before = statuses.total()
            play()
            if statuses.total() == before:
                break
    return statuses, door.faults


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=2_000, help="on each way in")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(entry_points()), help="names, with commas between them")
    arguments = parser.parse_args()
    logging.basicConfig(handlers=[logging.NullHandler()])
    table = Table(title=f"hostile input, seed {arguments.seed}", title_justify="left")
    for heading in ("way in", "inputs", "2xx", "3xx", "4xx", "5xx", "no answer", "faults", "seconds"):
        table.add_column(heading, justify="left" if heading == "way in" else "right")
    points, good = entry_points(), True
    for name in arguments.only.split(","):
        began = time.monotonic()
        statuses, faults = fuzz(name, points[name], arguments.inputs, arguments.seed)
        good &= not faults and statuses.total() >= arguments.inputs
        classes = (str(statuses[each]) for each in ("2xx", "3xx", "4xx", "5xx", "none"))
        took = f"{time.monotonic() - began:.0f}"
        table.add_row(name, str(statuses.total()), *classes, str(len(faults)), took)
        for fault in faults[:SHOWN]:
            print(f"FAULT on {name}: {fault}\n")
    Console(width=100).print(table)
    print("PASS" if good else "FAIL")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
