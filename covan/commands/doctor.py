"""`covan doctor`: faults of this installation or a channel, and their remedies."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import chain
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from covan.diagnosis import Channel, Level, examine, examine_channel
from rag.settings import settings

COLOURS = {Level.OK: "green", Level.WARN: "yellow", Level.FAIL: "bold red"}


def run(
    channel: Annotated[
        list[Channel] | None,
        typer.Option(help="Look at this channel instead, and at what its platform knows of it."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Check this installation, or a channel. Each line says how to mend what is wrong.

    The exit code is 1 when something fails.
    """
    console = Console(highlight=False, soft_wrap=True)
    findings = []
    wanted = settings()
    looked_at = (examine_channel(each, wanted) for each in channel) if channel else (examine(wanted),)
    for finding in chain.from_iterable(looked_at):
        findings.append(finding)
        if not as_json:
            colour = COLOURS[finding.level]
            console.print(
                f"[{colour}]{finding.level:<4}[/] {escape(finding.name)}: {escape(finding.message)}"
                + (f"\n     → {escape(finding.mend)}" if finding.mend else "")
            )
    failed = any(finding.level is Level.FAIL for finding in findings)
    if as_json:
        typer.echo(json.dumps({"ok": not failed, "checks": list(map(asdict, findings))}, ensure_ascii=False))
    raise typer.Exit(1 if failed else 0)
