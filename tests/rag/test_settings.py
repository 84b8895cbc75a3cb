import pytest

from rag.errors import SettingsError
from rag.settings import settings


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
