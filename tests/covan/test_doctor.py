"""`covan doctor` finds faults and says how to mend them."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from reserved_ports import reserve_port
from rich.console import Console
from typer.testing import CliRunner

from covan import rasa, rasa_model
from covan.cli import app
from covan.diagnosis import Finding, Level, examine
from rag.settings import Settings


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A state folder and a knowledge folder of nobody else's."""
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "state").mkdir(mode=0o700)
    return tmp_path


def findings(home: Path, **changes: object) -> Mapping[str, list[Finding]]:
    settings = Settings(knowledge_dir=home / "knowledge", state_dir=home / "state").model_copy(update=changes)
    found: dict[str, list[Finding]] = {}
    for finding in examine(settings):
        found.setdefault(finding.name, []).append(finding)
    return found


def levels(found: Mapping[str, list[Finding]], name: str) -> set[Level]:
    return {finding.level for finding in found[name]}


def test_every_fault_comes_with_what_to_do(home: Path) -> None:
    for finding in (finding for group in findings(home).values() for finding in group):
        assert (finding.mend == "") == (finding.level is Level.OK), finding


def test_stores_of_several_rasa_processes_that_are_away_are_told(home: Path) -> None:
    assert "Rasa's stores" not in findings(home)

    away = findings(home, locks_url=f"redis://:secret@127.0.0.1:{reserve_port()}/1")

    assert levels(away, "Rasa's stores") == {Level.FAIL}
    assert "COVAN_LOCKS_URL" in away["Rasa's stores"][0].message
    assert "secret" not in away["Rasa's stores"][0].message


def test_this_installation_runs_the_right_pythons(home: Path) -> None:
    found = findings(home)

    assert levels(found, "Python") == {Level.OK}
    assert levels(found, "Rasa's environment") == {Level.OK}
    assert levels(found, "widget/package-lock.json") == {Level.OK}
    assert levels(found, "Chat page") == {Level.OK}


def test_every_problem_of_the_knowledge_folder_is_told_with_its_place(home: Path) -> None:
    (home / "knowledge" / "topics.yml").write_text("- {id: study\n", encoding="utf-8")

    found = findings(home)

    assert levels(found, "Knowledge") == {Level.FAIL}
    assert any("topics.yml:" in finding.message for finding in found["Knowledge"])


def test_a_missing_index_is_told_with_the_command_that_makes_it(home: Path) -> None:
    (finding,) = findings(home)["Index"]

    assert finding.level is Level.FAIL
    assert "covan index" in finding.mend


@pytest.mark.e5
def test_a_damaged_graph_is_told_and_the_index_still_counts(
    school_index: Path, school: Path, tmp_path: Path
) -> None:
    state = tmp_path / "state of a damaged graph"
    shutil.copytree(school_index, state / "index")
    for database in (state / "index").glob("versions/*/graph/graph.lbug"):
        database.write_bytes(b"damaged")

    found = findings(tmp_path, knowledge_dir=school, state_dir=state)

    assert levels(found, "Knowledge graph") == {Level.WARN}
    assert Level.FAIL not in levels(found, "Index")


@pytest.mark.e5
def test_an_index_is_current_until_the_folder_changes(school_index: Path, school: Path) -> None:
    def level() -> Level:
        (finding,) = findings(school_index.parent, knowledge_dir=school, state_dir=school_index.parent)[
            "Index"
        ]
        return finding.level

    assert level() is Level.OK
    (school / "documents" / "new.md").write_text("Hồ bơi mở cửa lúc 6 giờ.\n", encoding="utf-8")
    assert level() is Level.WARN


def test_a_state_folder_that_others_can_read_is_a_warning(home: Path) -> None:
    (home / "state").chmod(0o755)

    (finding,) = findings(home)["State folder"]

    assert finding.level is Level.WARN
    assert finding.mend == f"Run: chmod 700 {home / 'state'}"


def test_retention_is_told_without_a_running_covan_and_for_ever(home: Path) -> None:
    for_days, idle = findings(home, retention_days=30.0, page_port=reserve_port())["Retention"]
    for_ever, _ = findings(home, retention_days=0.0, page_port=reserve_port())["Retention"]

    assert for_days.message.startswith("30 days (COVAN_RETENTION_DAYS)")
    assert "does not run" in idle.message
    assert "for ever" in for_ever.message


def test_a_busy_port_is_named_with_its_holder(home: Path) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]

        (finding,) = findings(home, rasa_port=port)[f"Port {port} (Rasa)"]

    assert finding.level is Level.WARN
    assert f"(process {os.getpid()})" in finding.message


def test_a_port_that_our_own_servers_hold_is_well(home: Path) -> None:
    (home / "state" / "up.lock").write_text(str(os.getpid()))
    port = reserve_port()
    code = (
        # It answers, if only with an error: doctor gives a server that does not twice 20 s.
        "from http.server import BaseHTTPRequestHandler, HTTPServer\n"
        f"server = HTTPServer(('127.0.0.1', {port}), BaseHTTPRequestHandler)\n"
        "print('listening', flush=True)\n"
        "server.serve_forever()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            server.stdout.readline()
            (finding,) = findings(home, page_port=port)[f"Port {port} (front door)"]
        finally:
            server.kill()

    assert finding.level is Level.OK
    assert "in use by this Covan" in finding.message


def test_the_command_fails_when_something_fails_and_speaks_json(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COVAN_STATE_DIR", str(home / "state"))

    result = subprocess.run(
        [sys.executable, "-m", "covan", "doctor", "--json"], capture_output=True, text=True, check=False
    )

    report = json.loads(result.stdout)
    assert result.returncode == 1
    assert report["ok"] is False
    index = next(check for check in report["checks"] if check["name"] == "Index")
    assert index["level"] == "FAIL"


def test_the_readable_report_marks_each_line() -> None:
    lines = CliRunner().invoke(app, ["doctor"]).stdout.splitlines()

    assert all(line.startswith(("OK  ", "WARN", "FAIL", "     → ")) for line in lines)


def test_a_training_that_is_under_way_is_told(home: Path) -> None:
    settings = Settings(knowledge_dir=home / "knowledge", state_dir=home / "state")
    with rasa_model._alone(settings, Console(quiet=True)):
        (finding,) = findings(home)["Rasa model"]
        assert (finding.level, "is being trained" in finding.message) == (Level.WARN, True)
        assert "train.log" in finding.mend

    assert levels(findings(home), "Rasa model") == {Level.FAIL}


def test_a_model_that_waits_in_the_console_is_no_fault(home: Path) -> None:
    settings = Settings(knowledge_dir=home / "knowledge", state_dir=home / "state")
    name = f"covan-{rasa_model.fingerprint(settings)}.tar.gz"
    for path in (rasa.models_dir(settings) / "covan-before.tar.gz", rasa.candidates_dir(settings) / name):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"a model")

    assert rasa_model.is_held(settings, name)
    waits = [finding for finding in findings(home)["Rasa model"] if "waits in the console" in finding.message]
    assert [finding.level for finding in waits] == [Level.OK]
