#!/usr/bin/env python3
"""Run the parts of a check and print the time each takes.

    scripts/run_parts.py NAME COMMAND [NAME COMMAND]...

The parts run side by side, each COMMAND in a shell. The output of a part is printed in one piece when the part ends,
under its name and its time in seconds. The exit code is 1 when a part fails.
"""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed


def run(name: str, command: str) -> tuple[str, int, float, str]:
    """Return the name, the exit code, the seconds and the output of a part."""
    started = time.monotonic()
    done = subprocess.run(
        command,
        shell=True,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    return name, done.returncode, time.monotonic() - started, done.stdout


def main(arguments: list[str]) -> int:
    """Run the parts; return the exit code."""
    if not arguments or len(arguments) % 2:
        print(__doc__, file=sys.stderr)
        return 2
    parts = list(zip(arguments[::2], arguments[1::2], strict=True))
    started = time.monotonic()
    failed = []
    with ThreadPoolExecutor(len(parts)) as pool:
        for part in as_completed([pool.submit(run, *part) for part in parts]):
            name, code, seconds, output = part.result()
            print(f"==> {name}: {'ok' if code == 0 else 'FAILED'} in {seconds:.0f} s", flush=True)
            if output.strip():
                print(output.rstrip(), flush=True)
            if code != 0:
                failed.append(name)
    outcome = f"failed: {', '.join(failed)}" if failed else "all ok"
    print(f"==> {len(parts)} parts in {time.monotonic() - started:.0f} s, {outcome}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
