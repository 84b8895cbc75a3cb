import pytest
from pydantic import ValidationError

from rag.errors import SettingsError
from rag.settings import Settings, settings


def test_a_setting_that_cannot_be_used_is_named_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COVAN_RASA_PORT", "abc")
    monkeypatch.setenv("COVAN_PAGE_PORT", "70000")
    settings.cache_clear()
    try:
        with pytest.raises(SettingsError) as raised:
            settings()
    finally:
        settings.cache_clear()
    assert "COVAN_RASA_PORT" in str(raised.value)
    assert "COVAN_PAGE_PORT" in str(raised.value)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"llm_url": "https://api.example/v1"}, "COVAN_LLM_MODEL"),
        ({"llm_model": "m"}, "COVAN_LLM_URL"),
        ({"llm_url": "api.example", "llm_model": "m"}, "whole address"),
        ({"llm_sources": "faq"}, "word for word"),
        ({"llm_timeout_s": 60}, "45"),
    ],
)
def test_a_language_model_is_set_up_whole(given: dict[str, object], word: str) -> None:
    with pytest.raises(ValidationError, match=word):
        Settings(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"smtp_host": "mail.truong.test"}, "COVAN_SMTP_FROM"),
        ({"smtp_host": "mail.truong.test", "smtp_from": "covan@truong.test"}, "COVAN_CONSOLE_URL"),
        ({"console_url": "covan.truong.test"}, "whole address"),
        ({"smtp_tls": "ssl"}, "starttls"),
        ({"openid_issuer": "http://login.truong.test"}, "https"),
        ({"openid_issuer": "https://login.truong.test"}, "COVAN_OPENID_CLIENT_ID"),
    ],
)
def test_mails_and_the_schools_sign_in_are_set_up_whole(given: dict[str, object], word: str) -> None:
    with pytest.raises(ValidationError, match=word):
        Settings(**given)  # type: ignore[arg-type]
