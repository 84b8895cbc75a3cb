"""`covan doctor` on the language model, and `covan usage`."""

from __future__ import annotations

from pathlib import Path

import pytest
from chat_model import Says, Sent, scripted_model
from command_line import covan
from reserved_ports import reserve_port

from covan.diagnosis import Finding, Level
from covan.model_check import check
from rag.language_model.ledger import Budget, Ledger
from rag.settings import Settings, settings


def findings(url: str, **changes: object) -> list[Finding]:
    return list(check(Settings(llm_url=url, llm_model="m", llm_key="k").model_copy(update=changes)))


def answers(body: Sent) -> Says:
    return Says('{"capital": "Hà Nội"}' if "response_format" in body else "Hà Nội là thủ đô.")


def test_without_a_model_nothing_is_said() -> None:
    assert list(check(Settings())) == []


def test_a_good_server_is_told_with_its_speed() -> None:
    with scripted_model(answers) as server:
        speed, form = findings(server.url)

    assert (speed.level, form.level) == (Level.OK, Level.OK)
    assert "m answers" in speed.message
    assert "response_format" in server.sent[1]


def test_a_server_without_json_mode_is_a_warning() -> None:
    with scripted_model("Hà Nội") as server:
        assert [finding.level for finding in findings(server.url)] == [Level.OK, Level.WARN]


def test_a_slow_server_is_a_warning() -> None:
    with scripted_model(lambda body: Says(answers(body).text, pause_s=0.05)) as server:
        assert findings(server.url, llm_timeout_s=0.01)[0].level is Level.WARN


@pytest.mark.parametrize(
    ("says", "word"), [(Says(status=401), "COVAN_LLM_KEY"), (Says(status=404), "COVAN_LLM_MODEL")]
)
def test_a_refusal_says_what_to_mend(says: Says, word: str) -> None:
    with scripted_model([says]) as server:
        (finding,) = findings(server.url)

    assert finding.level is Level.FAIL
    assert word in finding.mend


def test_a_server_that_is_away_says_so() -> None:
    (finding,) = findings(f"http://127.0.0.1:{reserve_port()}/v1")

    assert finding.level is Level.FAIL
    assert "COVAN_LLM_URL" in finding.mend


def test_the_usage_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COVAN_STATE_DIR", str(tmp_path))
    settings.cache_clear()
    try:
        assert "not been used" in covan("usage").output
        ledger = Ledger(settings().llm_ledger, Budget(prompt_price=10.0))
        ledger.settle(ledger.reserve(1, 1), "m", (1000, 50), 1500.0)
        assert '"prompt_tokens": 1000' in covan("usage", "--json").output
        assert "0.0100" in covan("usage").output
    finally:
        settings.cache_clear()
