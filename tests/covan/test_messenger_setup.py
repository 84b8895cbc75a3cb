"""A page's Messenger is set up by one command, and what is missing is told with what to do."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

import pytest
import yaml
from graph_api import GraphApi, GraphError, check_profile
from pydantic import SecretStr
from rich.console import Console

from covan.diagnosis import Finding, Level
from covan.messenger_setup import FIELDS, PROFILE, WEBHOOK_PATH, check, register, remove
from rag.errors import CovanError
from rag.settings import Settings


@pytest.fixture
def graph() -> Iterator[GraphApi]:
    api = GraphApi()
    api.start()
    yield api
    api.stop()


@contextmanager
def our_side(verify_token: str, status: int = 200) -> Iterator[str]:
    """The address under which Facebook finds Covan, and what it answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlparse(self.path)
            query = {key: values[0] for key, values in parse_qs(asked.query).items()}
            knows = asked.path == WEBHOOK_PATH and query.get("hub.verify_token") == verify_token
            self.send_response(status if knows else 403)
            self.end_headers()
            self.wfile.write(query.get("hub.challenge", "").encode() if knows else b"")

        def log_message(self, format: str, *args: object) -> None:
            """Tests need no log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def settings(graph: GraphApi, public_url: str = "", **changes: str) -> Settings:
    secret = {
        "messenger_token": graph.token,
        "messenger_app_secret": graph.app_secret,
        "messenger_verify_token": graph.verify_token,
        **changes,
    }
    return Settings().model_copy(
        update={
            "messenger_api_url": graph.url,
            "public_url": public_url,
            **{name: SecretStr(value) for name, value in secret.items()},
        }
    )


def registered(found: Settings) -> str:
    """What the command prints."""
    console = Console(width=200)
    with console.capture() as captured:
        register(found, console)
    return captured.get()


def by_name(found: list[Finding]) -> Mapping[str, Finding]:
    return {finding.name: finding for finding in found}


def only_failure(found: list[Finding]) -> Finding:
    (failure,) = [finding for finding in found if finding.level is Level.FAIL]
    assert failure.mend
    return failure


# --- register ---------------------------------------------------------------------------------------------------------


def test_one_command_sets_everything_and_the_check_finds_nothing_more_to_do(graph: GraphApi) -> None:
    with our_side(graph.verify_token) as url:
        found = settings(graph, url)
        said = registered(found)
        levels = {finding.level for finding in check(found)}

    assert "Trường Đại học Mẫu" in said
    assert url + WEBHOOK_PATH in said
    assert graph.subscribed == list(FIELDS)
    assert graph.webhook["callback_url"] == url + WEBHOOK_PATH
    assert levels == {Level.OK}


def test_it_may_be_done_again(graph: GraphApi) -> None:
    with our_side(graph.verify_token) as url:
        assert registered(settings(graph, url)) == registered(settings(graph, url))


def test_without_a_public_address_the_webhook_is_left_to_the_clicks(graph: GraphApi) -> None:
    said = registered(settings(graph))

    assert "COVAN_PUBLIC_URL" in said
    assert graph.webhook == {}
    assert graph.profile["get_started"] == {"payload": "c:start"}


def test_no_secret_is_in_an_address_or_on_the_screen(graph: GraphApi) -> None:
    with our_side(graph.verify_token) as url:
        said = registered(settings(graph, url))
        said += str(check(settings(graph, url)))

    secrets = (graph.token, graph.app_secret, graph.verify_token)
    assert not [asked for asked in graph.asked if any(secret in str(asked.query) for secret in secrets)]
    assert not [secret for secret in secrets if secret in said]


def test_a_facebook_that_cannot_verify_us_says_what_must_run(graph: GraphApi) -> None:
    with our_side("another token") as url, pytest.raises(CovanError) as caught:
        registered(settings(graph, url))

    assert "must be running" in str(caught.value)
    assert graph.subscribed == list(FIELDS)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"messenger_token": ""}, "COVAN_MESSENGER_TOKEN"),
        ({"messenger_verify_token": " "}, "COVAN_MESSENGER_VERIFY_TOKEN"),
        ({"messenger_token": "of last year"}, "new token"),
        ({"messenger_app_secret": "of another app"}, "COVAN_MESSENGER_APP_SECRET"),
    ],
)
def test_what_is_missing_or_wrong_is_named(graph: GraphApi, changes: dict[str, str], says: str) -> None:
    with pytest.raises(CovanError, match=says):
        registered(settings(graph, **changes))


def test_a_permission_that_is_missing_is_named(graph: GraphApi) -> None:
    graph.scopes = ("pages_messaging",)

    with pytest.raises(CovanError, match="pages_manage_metadata"):
        registered(settings(graph))


def test_it_can_be_taken_back(graph: GraphApi) -> None:
    with our_side(graph.verify_token) as url:
        registered(settings(graph, url))
        remove(settings(graph, url), Console(width=200, quiet=True))

    assert (graph.subscribed, graph.profile) == ([], {})
    with pytest.raises(CovanError, match="COVAN_MESSENGER_TOKEN"):
        remove(settings(graph, messenger_token=""), Console(quiet=True))


# --- check ------------------------------------------------------------------------------------------------------------


def test_a_messenger_that_nobody_wants_is_no_failure(graph: GraphApi) -> None:
    nothing = {"messenger_token": "", "messenger_app_secret": "", "messenger_verify_token": ""}

    (finding,) = check(settings(graph, **nothing))

    assert finding.level is Level.WARN
    assert graph.asked == []


def test_half_a_set_up_is_a_failure(graph: GraphApi) -> None:
    failure = only_failure(check(settings(graph, messenger_app_secret="")))

    assert "COVAN_MESSENGER_APP_SECRET" in failure.message


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"messenger_token": "of last year"}, "COVAN_MESSENGER_TOKEN"),
        ({"messenger_app_secret": "of another app"}, "COVAN_MESSENGER_APP_SECRET"),
    ],
)
def test_a_wrong_secret_is_told_and_the_rest_is_not_asked(
    graph: GraphApi, changes: dict[str, str], says: str
) -> None:
    (failure,) = check(settings(graph, **changes))

    assert failure.level is Level.FAIL
    assert says in failure.mend
    assert not set(changes.values()) & {word for asked in graph.asked for word in asked.query.values()}


def test_a_facebook_out_of_reach_is_told(graph: GraphApi) -> None:
    graph.stop()

    assert "cannot be reached" in only_failure(check(settings(graph))).message


def test_a_page_on_which_nothing_is_set_up_is_told_each_thing(graph: GraphApi) -> None:
    found = by_name(check(settings(graph)))

    failed = {name for name, finding in found.items() if finding.level is Level.FAIL}
    assert failed == {"Messenger's webhook", "the page's subscription", "Messenger's greeting and menu"}
    assert all("covan channel messenger" in found[name].mend for name in failed)


def test_a_token_that_ends_or_may_too_little_is_told(graph: GraphApi) -> None:
    graph.scopes, graph.expires_at = ("pages_show_list",), round(time.time()) + 60 * 24 * 3600

    found = by_name(check(settings(graph)))

    assert "pages_messaging, pages_manage_metadata" in found["Messenger's permissions"].message
    assert found["Messenger's token"].level is Level.WARN
    graph.expires_at = round(time.time()) + 3600
    assert by_name(check(settings(graph)))["Messenger's token"].level is Level.FAIL


@pytest.mark.parametrize(
    ("verify_token", "status", "says"),
    [("another", 200, "COVAN_MESSENGER_VERIFY_TOKEN"), (None, 404, "Restart"), (None, 502, "proxy")],
)
def test_an_address_that_does_not_answer_facebook_is_told(
    graph: GraphApi, verify_token: str | None, status: int, says: str
) -> None:
    with our_side(graph.verify_token) as url:
        registered(settings(graph, url))
    with our_side(verify_token or graph.verify_token, status) as url:
        graph.webhook["callback_url"] = url + WEBHOOK_PATH
        failure = only_failure(check(settings(graph, url)))

    assert says in failure.mend


def test_an_address_that_is_gone_or_of_another_place_is_told(graph: GraphApi) -> None:
    with our_side(graph.verify_token) as url:
        registered(settings(graph, url))

    assert "not reached" in only_failure(check(settings(graph, url))).message
    assert "but we are at" in only_failure(check(settings(graph, "https://chat.example.edu.vn"))).message


def test_a_menu_or_a_field_that_somebody_changed_is_told(graph: GraphApi) -> None:
    with our_side(graph.verify_token) as url:
        registered(settings(graph, url))
        graph.profile["persistent_menu"][0]["call_to_actions"][0]["payload"] = "c:help"
        graph.subscribed.remove("messaging_postbacks")
        found = by_name(check(settings(graph, url)))

    assert found["Messenger's greeting and menu"].level is Level.WARN
    assert "messaging_postbacks" in found["the page's subscription"].message


# --- what the page shows ----------------------------------------------------------------------------------------------


def test_facebook_takes_the_profile_and_the_channel_knows_its_commands() -> None:
    profile = yaml.safe_load(PROFILE.read_text(encoding="utf-8"))

    check_profile(profile, {})
    payloads = {item["payload"] for menu in profile["persistent_menu"] for item in menu["call_to_actions"]}
    assert payloads | {profile["get_started"]["payload"]} == {
        f"c:{command}" for command in ("start", "help", "profile", "forget", "advisor")
    }
    assert [menu["locale"] for menu in profile["persistent_menu"]] == ["default", "en_US", "en_GB"]


def test_the_stand_in_refuses_what_facebook_refuses() -> None:
    with pytest.raises(GraphError, match="Get Started"):
        check_profile({"persistent_menu": [{"locale": "default", "call_to_actions": [{"title": "Một"}]}]}, {})
