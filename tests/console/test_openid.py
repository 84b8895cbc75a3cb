"""Signing in at an OpenID Connect provider over HTTP: who gets in, to which account, and what is not believed."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from console_driver import PASSWORD, SIZES, Clock, Enter, OpenPages, databases, in_view
from fastapi.testclient import TestClient
from front_door_server import serving
from joserfc import jwt
from joserfc.jwk import OctKey
from openid_provider import CLIENT_ID, SECRET, Provider, new_key, openid_provider
from playwright.sync_api import Browser, expect

from console.accounts import AccountError
from console.api.dependencies import COOKIE, CSRF_HEADER, Console
from console.app import create_app
from console.openid import MOST_PENDING, PENDING_S, OpenId
from covan.project import ROOT

CONSOLE_URL = "http://console.test"
LAN = {"sub": "7", "email": "Lan@truong.test", "email_verified": True, "name": "Nguyễn  Thị Lan"}
CALLBACK = "/api/session/openid/callback"


@pytest.fixture(scope="module")
def serving_provider() -> Iterator[Provider]:
    with openid_provider() as running:
        yield running


@pytest.fixture
def provider(serving_provider: Provider, console: Console, clock: Clock) -> Provider:
    """The provider, which the console of this test uses."""
    serving_provider.reset()
    clock.now = time.time()
    made = OpenId(
        serving_provider.issuer, (CLIENT_ID, SECRET), f"{CONSOLE_URL}{CALLBACK}", "Trường", clock=clock
    )
    object.__setattr__(console, "openid", made)
    console.accounts.create("quan-tri", "Thầy Minh", ["administrator"], PASSWORD)
    console.accounts.create("lan@truong.test", "Cô Lan", ["advisor"], PASSWORD)
    return serving_provider


def begin(client: TestClient) -> str:
    """Return the address at the provider."""
    sent = client.get("/api/session/openid", follow_redirects=False)
    assert sent.status_code == 303
    return sent.headers["location"]


def sign_in(client: TestClient, alter: Callable[[str], str] = lambda address: address) -> str:
    """Sign in as the person of the provider; return the page that is come to. `alter` changes the way back."""
    back = httpx.get(begin(client), follow_redirects=False, trust_env=False).headers["location"]
    assert back.startswith(f"{CONSOLE_URL}{CALLBACK}?")
    sent = client.get(alter(back).removeprefix(CONSOLE_URL), follow_redirects=False)
    assert sent.status_code == 303
    return sent.headers["location"]


def refused(code: str) -> str:
    return f"/?refused={code}"


@databases
def test_a_person_signs_in_to_the_account_of_their_address(
    enter: Enter, console: Console, provider: Provider
) -> None:
    provider.person = LAN
    client = enter()

    assert client.get("/api/session/methods").json() == {"openid": "Trường"}
    assert sign_in(client) == "/"

    me = client.get("/api/session").json()
    assert (me["login"], me["name"], me["roles"]) == ("lan@truong.test", "Cô Lan", ["advisor"])
    asked = provider.asked[0]
    assert len({asked[name] for name in ("state", "nonce", "code_challenge")}) == 3
    # The session is like any other: a change needs its token.
    assert client.delete("/api/session").status_code == 403
    assert client.delete("/api/session", headers={CSRF_HEADER: me["csrf"]}).status_code == 204
    assert console.audit.page()[1]["detail"] == {"factor": "openid"}


def test_the_cookies_are_for_no_script_and_the_sessions_for_this_site_alone(
    enter: Enter, provider: Provider
) -> None:
    provider.person = LAN
    client = enter()
    first = client.get("/api/session/openid", follow_redirects=False)
    back = httpx.get(first.headers["location"], follow_redirects=False, trust_env=False).headers["location"]
    last = client.get(back.removeprefix(CONSOLE_URL), follow_redirects=False)

    flow = first.headers["set-cookie"].lower()
    assert "httponly" in flow
    assert "samesite=lax" in flow
    assert "path=/api/session/openid" in flow
    session = next(each for each in last.headers.get_list("set-cookie") if each.startswith(f"{COOKIE}="))
    assert "HttpOnly" in session
    assert "SameSite=strict" in session


def test_the_account_stays_theirs_when_the_address_changes(enter: Enter, provider: Provider) -> None:
    provider.person = LAN
    assert sign_in(enter()) == "/"

    provider.person = {**LAN, "email": "lan.nguyen@truong.test"}
    client = enter()
    assert sign_in(client) == "/"
    assert client.get("/api/session").json()["login"] == "lan@truong.test"

    # Whoever gets the old address does not get her account with it,
    provider.person = {**LAN, "sub": "8"}
    assert sign_in(enter()) == refused("other_person")
    # unless an administrator says so.
    admin = enter("administrator")
    assert admin.delete("/api/people/lan@truong.test/identity").status_code == 204
    assert client.get("/api/session").status_code == 403
    assert sign_in(enter()) == "/"


def test_an_address_that_is_not_known_to_be_theirs_gets_no_account(
    enter: Enter, console: Console, provider: Provider, clock: Clock
) -> None:
    for claims in ({"email_verified": False}, {"email_verified": "true"}):
        provider.person = {**LAN, **claims}
        assert sign_in(enter()) == refused("no_account")
    provider.person = {name: value for name, value in LAN.items() if name != "email_verified"}
    assert sign_in(enter()) == refused("no_account")
    # A name that people choose themselves is nobody's account.
    provider.person = {"sub": "9", "preferred_username": "quan-tri", "email_verified": True}
    assert sign_in(enter()) == refused("no_account")

    trusting = OpenId(
        provider.issuer, (CLIENT_ID, SECRET), f"{CONSOLE_URL}{CALLBACK}", trusts_mail=True, clock=clock
    )
    object.__setattr__(console, "openid", trusting)
    provider.person = {name: value for name, value in LAN.items() if name != "email_verified"}
    assert sign_in(enter()) == "/"
    provider.person = {**LAN, "sub": "8", "email_verified": False}
    assert sign_in(enter()) == refused("no_account")


def test_the_mail_address_of_an_account_counts_too(
    enter: Enter, console: Console, provider: Provider
) -> None:
    console.accounts.create("binh", "Thầy Bình", ["editor"], PASSWORD, "Binh@truong.test")
    provider.person = {"sub": "3", "email": "binh@truong.test", "email_verified": True}
    client = enter()
    assert sign_in(client) == "/"
    assert client.get("/api/session").json()["login"] == "binh"

    # Of two accounts with one address, neither is sure to be theirs.
    for login in ("hoa", "hoa2"):
        console.accounts.create(login, "Hoa", ["editor"], PASSWORD, "hoa@truong.test")
    provider.person = {"sub": "4", "email": "hoa@truong.test", "email_verified": True}
    assert sign_in(enter()) == refused("no_account")


@databases
def test_new_people_get_an_account_where_an_administrator_allows_it(enter: Enter, provider: Provider) -> None:
    new = {"sub": "11", "email": "mai@khoa.truong.test", "email_verified": True, "name": " Mai   Lê "}
    provider.person = new
    assert sign_in(enter()) == refused("no_account")

    admin = enter("administrator")
    allowed = {"domains": ["@Khoa.truong.test", "phong.truong.test"], "roles": ["advisor", "editor"]}
    nobody: dict[str, list[str]] = {"domains": [], "roles": []}
    assert admin.put("/api/people/new-accounts", json={**allowed, "seen": nobody}).status_code == 204
    kept = admin.get("/api/people/new-accounts").json()
    assert kept == {"domains": ["khoa.truong.test", "phong.truong.test"], "roles": ["advisor", "editor"]}
    client = enter()
    assert sign_in(client) == "/"
    me = client.get("/api/session").json()
    assert (me["login"], me["name"], me["roles"]) == ("mai@khoa.truong.test", "Mai Lê", ["advisor", "editor"])

    for address in ("x@truong.test", "x@sub.khoa.truong.test", "x@khoa.truong.test.evil.test"):
        provider.person = {**new, "sub": address, "email": address}
        assert sign_in(enter()) == refused("no_account")
    # Off again: those who have an account keep it.
    assert admin.put("/api/people/new-accounts", json={"domains": [], "seen": kept}).status_code == 204
    provider.person = {**new, "sub": "12", "email": "nam@khoa.truong.test"}
    assert sign_in(enter()) == refused("no_account")
    provider.person = new
    assert sign_in(enter()) == "/"


@databases
def test_who_changes_the_rule_for_new_accounts_second_sees_the_first_change(enter: Enter) -> None:
    admin = enter("administrator")
    seen: dict[str, list[str]] = {"domains": [], "roles": []}
    first = {"domains": ["khoa.truong.test"], "roles": ["advisor"]}
    assert admin.put("/api/people/new-accounts", json={**first, "seen": seen}).status_code == 204

    second = {"domains": ["phong.truong.test"], "roles": ["editor"], "seen": seen}
    refused = admin.put("/api/people/new-accounts", json=second)

    assert (refused.status_code, refused.json()["detail"]["theirs"]) == (409, first)
    assert admin.get("/api/people/new-accounts").json() == first
    assert admin.put("/api/people/new-accounts", json={**second, "seen": first}).status_code == 204


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"domains": ["truong"], "roles": ["advisor"]}, "bad_domain"),
        ({"domains": ["a b.vn"], "roles": ["advisor"]}, "bad_domain"),
        ({"domains": ["truong.test"], "roles": ["administrator"]}, "bad_roles"),
        ({"domains": ["truong.test"], "roles": []}, "bad_roles"),
    ],
)
def test_faulty_domains_and_roles_are_refused(enter: Enter, body: dict[str, Any], code: str) -> None:
    refused = enter("administrator").put("/api/people/new-accounts", json={**body, "seen": {"domains": []}})

    assert (refused.status_code, refused.json()["error"]) == (400, code)


def test_closed_accounts_and_those_with_a_second_factor_are_not_entered(
    enter: Enter, console: Console, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.person = LAN
    console.accounts.change("lan@truong.test", active=False)
    assert sign_in(enter()) == refused("closed_account")

    console.accounts.change("lan@truong.test", active=True)
    monkeypatch.setattr("console.second_factor.take_code", lambda *_: True)
    _, session = console.accounts.sign_in("lan@truong.test", PASSWORD)
    console.accounts.begin_second_factor(session, PASSWORD)
    console.accounts.confirm_second_factor(session, "000000")
    assert sign_in(enter()) == refused("second_factor_needed")
    # Neither of them was linked by that.
    assert not any(each.linked for each in console.accounts.all())


def test_what_comes_back_must_belong_to_this_browser(enter: Enter, provider: Provider, clock: Clock) -> None:
    provider.person = LAN

    def with_state(value: str) -> Callable[[str], str]:
        return lambda address: address.replace(parse_qs(urlsplit(address).query)["state"][0], value)

    ended = refused("openid_ended")
    assert sign_in(enter(), with_state("another")) == ended
    assert sign_in(enter(), with_state("")) == ended
    # Another browser's answer: its cookie is not here (log-in CSRF).
    back = httpx.get(begin(enter()), follow_redirects=False, trust_env=False).headers["location"]
    path = back.removeprefix(CONSOLE_URL)
    assert enter().get(path, follow_redirects=False).headers["location"] == ended
    # Once, and within minutes.
    client = enter()
    back = httpx.get(begin(client), follow_redirects=False, trust_env=False).headers["location"]
    cookies = dict(client.cookies)
    path = back.removeprefix(CONSOLE_URL)
    assert client.get(path, follow_redirects=False).headers["location"] == "/"
    client.cookies.update(cookies)
    assert client.get(path, follow_redirects=False).headers["location"] == ended
    client = enter()
    back = httpx.get(begin(client), follow_redirects=False, trust_env=False).headers["location"]
    clock.now += PENDING_S + 1
    path = back.removeprefix(CONSOLE_URL)
    assert client.get(path, follow_redirects=False).headers["location"] == ended


def test_a_stolen_code_is_of_no_use_without_the_verifier(enter: Enter, provider: Provider) -> None:
    provider.person = LAN
    theirs = httpx.get(begin(enter()), follow_redirects=False, trust_env=False).headers["location"]
    stolen = parse_qs(urlsplit(theirs).query)["code"][0]

    def with_stolen(address: str) -> str:
        return address.replace(parse_qs(urlsplit(address).query)["code"][0], stolen)

    assert sign_in(enter(), with_stolen) == refused("openid_refused")


@pytest.mark.parametrize(
    "changes",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another-client"},
        {"aud": [CLIENT_ID, "another"], "azp": "another"},
        {"iss": "https://another.test"},
        {"exp": 1},
        {"exp": None},
        {"sub": None},
        {"iat": None},
    ],
)
def test_an_id_token_for_somebody_else_is_not_believed(
    enter: Enter, console: Console, provider: Provider, changes: dict[str, Any]
) -> None:
    provider.person = LAN
    provider.changed = lambda claims: {
        name: value for name, value in {**claims, **changes}.items() if value is not None
    }
    client = enter()

    assert sign_in(client) == refused("openid_faulty")
    assert client.get("/api/session").status_code == 403
    noted = console.audit.page()[1]
    assert (noted["allowed"], noted["detail"]["why"]) == (False, "openid_faulty")


def test_an_id_token_that_the_provider_did_not_sign_is_not_believed(enter: Enter, provider: Provider) -> None:
    provider.person = LAN

    def unsigned(claims: dict[str, Any]) -> str:
        parts = (json.dumps(part).encode() for part in ({"alg": "none", "typ": "JWT"}, claims))
        return ".".join([*(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts), ""])

    def by_secret(claims: dict[str, Any]) -> str:
        return str(jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET)))

    def by_another(claims: dict[str, Any]) -> str:
        return str(jwt.encode({"alg": "ES256", "kid": "first"}, claims, new_key("first")))

    for signed in (unsigned, by_secret, by_another, lambda _: "", lambda _: "a.b.c"):
        provider.signed = signed
        assert sign_in(enter()) == refused("openid_faulty")


def test_the_provider_may_change_its_keys_and_tell_the_address_apart(
    enter: Enter, provider: Provider
) -> None:
    provider.person = LAN
    assert sign_in(enter()) == "/"

    provider.key, provider.in_token = new_key("second"), False
    client = enter()
    assert sign_in(client) == "/"
    assert client.get("/api/session").json()["login"] == "lan@truong.test"


def test_a_person_who_presses_cancel_is_told_so(enter: Enter, provider: Provider) -> None:
    provider.person = None
    assert sign_in(enter()) == refused("openid_refused")


def test_a_provider_that_is_down_or_another_one_is_told_of(
    enter: Enter, console: Console, provider: Provider, clock: Clock
) -> None:
    def location(issuer: str) -> str:
        other = OpenId(issuer, (CLIENT_ID, SECRET), f"{CONSOLE_URL}{CALLBACK}", clock=clock)
        object.__setattr__(console, "openid", other)
        return begin(enter())

    assert location("http://127.0.0.1:9") == refused("openid_down")
    assert location(provider.issuer + "/") == refused("openid_faulty")


def test_who_begins_and_never_comes_back_takes_no_room_for_ever(provider: Provider) -> None:
    openid = OpenId(provider.issuer, (CLIENT_ID, SECRET), f"{CONSOLE_URL}{CALLBACK}")
    for _ in range(3):
        openid.begin()
    openid._pending.update(dict.fromkeys(map(str, range(MOST_PENDING)), next(iter(openid._pending.values()))))
    openid.begin()

    assert len(openid._pending) == MOST_PENDING


def test_without_a_provider_there_is_nothing_to_sign_in_at(enter: Enter) -> None:
    client = enter()

    assert client.get("/api/session/methods").json() == {"openid": None}
    assert client.get("/api/session/openid").status_code == 404
    assert client.get(CALLBACK).status_code == 404


def test_an_account_that_is_not_there_cannot_be_unlinked(console: Console) -> None:
    with pytest.raises(AccountError) as refused:
        console.accounts.unlink("nobody")

    assert refused.value.code == "not_found"


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_a_browser_signs_in_over_another_site(
    browser: Browser, console: Console, provider: Provider, clock: Clock, size: tuple[int, int]
) -> None:
    """The provider is another site for the browser, which keeps strict cookies back on the way from there."""
    app = create_app(console, ROOT / "console" / "ui" / "dist")
    with serving(app) as url:
        openid = OpenId(provider.issuer, (CLIENT_ID, SECRET), f"{url}{CALLBACK}", "Trường", clock=clock)
        object.__setattr__(console, "openid", openid)
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="vi-VN")
        page = context.new_page()
        page.goto(url)
        page.get_by_role("link", name="Đăng nhập bằng Trường").click()
        expect(page.get_by_role("alert")).to_contain_text("Nơi đăng nhập của trường không cho vào")
        assert in_view(page)

        provider.person = LAN
        page.get_by_role("link", name="Đăng nhập bằng Trường").click()
        page.get_by_role("heading", name="Hôm nay").wait_for()
        expect(page).to_have_url(f"{url}/today")
        context.close()


@pytest.mark.browser
def test_a_session_that_ended_goes_on_over_another_site(
    browser: Browser, console: Console, provider: Provider, clock: Clock
) -> None:
    """The provider's page opens in another tab: what somebody is writing stays in this one."""
    app = create_app(console, ROOT / "console" / "ui" / "dist")
    with serving(app) as url:
        openid = OpenId(provider.issuer, (CLIENT_ID, SECRET), f"{url}{CALLBACK}", "Trường", clock=clock)
        object.__setattr__(console, "openid", openid)
        console.accounts.create("mai@truong.test", "Cô Mai", ["editor"], PASSWORD)
        provider.person = {**LAN, "sub": "8", "email": "mai@truong.test", "name": "Mai"}
        context = browser.new_context(viewport={"width": 390, "height": 844}, locale="vi-VN")
        page = context.new_page()
        page.goto(url)
        page.get_by_role("link", name="Đăng nhập bằng Trường").click()
        page.get_by_role("heading", name="Hôm nay").wait_for()
        page.goto(f"{url}/facts/facts.dormitory.2026.room")
        value = page.get_by_label("Giá trị", exact=True)
        value.fill("999.000 đồng")

        context.clear_cookies()
        page.get_by_role("button", name="Xem sẽ đổi gì").click()
        again = page.get_by_role("dialog", name="Đăng nhập lại")
        # Whoever has not signed in yet is told so, and the dialog stays.
        again.get_by_role("button", name="Tôi đã đăng nhập").click()
        expect(again.get_by_role("alert")).to_contain_text("Phiên đăng nhập đã hết hạn")
        assert in_view(page)
        with context.expect_page() as opened:
            again.get_by_role("link", name="Đăng nhập bằng Trường").click()
        opened.value.get_by_role("heading", name="Hôm nay").wait_for()
        opened.value.close()
        again.get_by_role("button", name="Tôi đã đăng nhập").click()

        expect(again).to_have_count(0)
        expect(value).to_have_value("999.000 đồng")
        page.get_by_role("button", name="Xem sẽ đổi gì").click()
        expect(page.get_by_test_id("changed")).to_be_visible()
        context.close()


@pytest.mark.browser
def test_an_administrator_allows_new_people(
    open_pages: OpenPages, console: Console, provider: Provider
) -> None:
    assert provider.issuer
    page = open_pages("administrator", (390, 844))
    page.goto("/people")
    domains = page.get_by_label("Tên miền").first
    domains.fill("truong.test")
    domains.press("Enter")
    page.get_by_role("checkbox", name="Biên tập").check()
    assert in_view(page)
    page.get_by_role("button", name="Lưu", exact=True).click()
    expect(page.get_by_text("Đã lưu.")).to_be_visible()

    assert console.accounts.new_accounts() == (["truong.test"], ["advisor", "editor"])
