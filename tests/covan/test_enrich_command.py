"""`covan enrich`: the cost before a call, progress, a run that goes on, and an index that needs no model."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chat_model import Says, ScriptedModel, Sent, scripted_model
from command_line import SMALL_SCHOOL, covan

from covan.project import ROOT
from rag.ingest.generated_texts import GeneratedTexts
from rag.settings import settings

UseModel = Callable[..., None]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[UseModel]:
    """Set the model's settings for the commands of a test."""

    def apply(server: ScriptedModel | None = None, **changes: str) -> None:
        named = {"URL": server.url, "MODEL": "scripted"} if server else {"URL": "", "MODEL": ""}
        for name, value in {**named, **changes}.items():
            monkeypatch.setenv(f"COVAN_LLM_{name}", value)
        settings.cache_clear()

    monkeypatch.setenv("COVAN_STATE_DIR", str(tmp_path / "state"))
    yield apply
    monkeypatch.undo()
    settings.cache_clear()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "index"


def again(body: Sent) -> Says:
    """Word the first line of the source once more."""
    first = re.search(r"<\w{12}>\n([^\n]+)", body["messages"][1]["content"])
    assert first is not None
    return Says(json.dumps({"texts": [f"{first[1].rstrip('?')} hả bạn", "Phí 123456 đồng đúng không"]}))


def enrich(out: Path, *arguments: object, code: int = 0) -> str:
    result = covan("enrich", SMALL_SCHOOL, "--out", out, *arguments)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return " ".join(result.stderr.split())


def test_a_dry_run_tells_the_cost_and_needs_no_model(use: UseModel, out: Path) -> None:
    use(PROMPT_PRICE="100", COMPLETION_PRICE="400")

    told = enrich(out, "--dry-run", "--only", "wordings")

    assert "0 of 8 sources have their texts." in told
    assert "8 FAQ entries for further wordings." in told
    found = re.search(
        r"8 calls, about (\d+) tokens sent, at most (\d+) written, cost at most ([\d.]+)\.", told
    )
    assert found is not None
    assert int(found[2]) == 8 * 500
    assert float(found[3]) == pytest.approx((100 * int(found[1]) + 400 * int(found[2])) / 1e6, abs=0.01)
    assert not out.exists()


def test_without_prices_no_cost_is_told(use: UseModel, out: Path) -> None:
    use()

    assert "cost unknown, as COVAN_LLM_PROMPT_PRICE" in enrich(out, "--dry-run")


def test_without_a_model_it_says_what_to_set(use: UseModel, out: Path) -> None:
    use()

    assert "COVAN_LLM_URL" in enrich(out, code=2)


def test_texts_are_written_once(use: UseModel, out: Path) -> None:
    with scripted_model(again) as server:
        use(server)
        first = enrich(out, "--only", "wordings")
        second = enrich(out, "--only", "wordings")

    assert "8 of 8 sources done: 8 texts kept, 8 did not pass the checks (value: 8); 960 tokens" in first
    assert "8 of 8 sources have their texts. There is nothing to write." in second
    assert len(server.sent) == 8


def test_what_is_kept_is_shown_as_generated(use: UseModel, out: Path) -> None:
    with scripted_model(again) as server:
        use(server)
        enrich(out, "--only", "wordings")

    lines = covan("enrich", "--out", out, "--show").stdout.splitlines()
    rows = {row["source"]: row for row in map(json.loads, lines)}
    assert len(rows) == 8
    shown = rows["study-transcript"]
    assert (shown["kind"], shown["generated_by"], shown["texts"], shown["refused"]) == (
        "wordings",
        "scripted",
        ["Xin bảng điểm ở đâu hả bạn"],
        1,
    )


def test_a_run_stops_at_its_limit_and_goes_on(use: UseModel, out: Path) -> None:
    with scripted_model(again) as server:
        use(server)
        first = enrich(out, "--only", "wordings", "--most-tokens", "1200", code=1)
        done = len(server.sent)
        enrich(out, "--only", "wordings")

    assert 0 < done < 8
    assert "--most-tokens" in first
    assert f"{done} of 8 sources done" in first
    assert len(server.sent) == 8


def test_half_of_the_day_s_budget_is_left_for_students(use: UseModel, out: Path) -> None:
    with scripted_model(again) as server:
        use(server, DAILY_TOKENS="2400")
        told = enrich(out, "--only", "wordings", code=1)

    assert "the limit of this run is reached" in told
    assert 0 < len(server.sent) < 8


def test_a_server_that_refuses_is_told_with_what_to_do(use: UseModel, out: Path) -> None:
    with scripted_model(lambda _: Says(status=401)) as server:
        use(server)
        told = enrich(out, "--only", "wordings", code=1)

    assert "covan doctor checks address, key" in told
    assert "3 calls brought nothing" in told


def test_an_unknown_kind_is_a_usage_error(use: UseModel, out: Path) -> None:
    use()

    result = covan("enrich", SMALL_SCHOOL, "--out", out, "--only", "poems")

    assert result.exit_code == 2
    assert "wordings" in result.output


def test_a_killed_process_loses_no_reply(use: UseModel, out: Path) -> None:
    with scripted_model(
        lambda body: Says(again(body).text, pause_s=30 if len(server.sent) > 2 else 0)
    ) as server:
        use(server)
        command = [sys.executable, "-m", "covan", "enrich", str(SMALL_SCHOOL), "--out", str(out)]
        process = subprocess.Popen([*command, "--only", "wordings"], cwd=ROOT, stderr=subprocess.DEVNULL)
        try:
            while len(server.sent) < 3 and process.poll() is None:
                signal.sigtimedwait([], 0.05)
        finally:
            process.kill()
            process.wait()

        assert len(GeneratedTexts(out).rows()) == 2
        server.script = again
        enrich(out, "--only", "wordings")

    assert len(GeneratedTexts(out).rows()) == 8
    # The two that were kept are not asked for again; the third is.
    assert len(server.sent) == 3 + 6


@pytest.mark.e5
def test_the_index_uses_them_without_a_model(use: UseModel, out: Path) -> None:
    with scripted_model(again) as server:
        use(server)
        enrich(out, "--only", "wordings")
    use()

    assert covan("index", SMALL_SCHOOL, "--out", out).exit_code == 0
    told = covan("ask", "Xin bảng điểm ở đâu hả bạn", "--index", out, "--json")
    reply = json.loads(told.stdout)
    assert (reply["decision"]["kind"], reply["answer_id"]) == ("answer", "study-transcript")
    assert "hả bạn" not in reply["text"]
    assert "current" in covan("index", SMALL_SCHOOL, "--out", out).stderr
