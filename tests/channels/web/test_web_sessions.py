"""A token is worth something only as we gave it out, and only for its time."""

import base64
import json

import jwt
import pytest

from channels.web.sessions import LIFETIME_S, MIN_SECRET_CHARS, Session, Sessions

SECRET = "a secret of 32 letters and digits"
NOW = 1_800_000_000


class Clock:
    def __init__(self):
        self.now = NOW

    def __call__(self):
        return self.now


def claims(**changed):
    of_session = {"aud": "covan-web", "sub": "A" * 24, "iat": NOW, "exp": NOW + 100}
    return {key: value for key, value in {**of_session, **changed}.items() if value is not ...}


def sessions(clock=None):
    return Sessions(SECRET, clock or Clock())


def test_what_is_given_out_is_read_again_by_every_process_with_the_secret():
    given = sessions().new("en")

    assert given.expires_at == NOW + LIFETIME_S
    assert sessions().of_token(sessions().token(given)) == given
    assert sessions().of_header(f"Bearer {sessions().token(given)}") == given
    assert sessions().of_header(f"bearer  {sessions().token(given)} ") == given


def test_ids_do_not_come_twice_and_fit_a_sender():
    ids = {sessions().new().id for _ in range(1_000)}

    assert len(ids) == 1_000
    assert all(len(each) == 24 and each.replace("-", "").replace("_", "").isalnum() for each in ids)


def test_a_session_is_over_after_its_time_and_a_renewed_one_is_not():
    clock = Clock()
    ours = sessions(clock)
    first = ours.new("vi")
    clock.now += LIFETIME_S - 1
    renewed = ours.renewed(first)
    assert ours.of_token(ours.token(first)) == first
    clock.now += 1

    assert ours.of_token(ours.token(first)) is None
    assert renewed == Session(first.id, NOW + 2 * LIFETIME_S - 1, "vi")
    assert ours.of_token(ours.token(renewed)) == renewed
    assert ours.renewed(first, "en").language == "en"


def test_a_token_made_by_the_rules_is_read():
    token = jwt.encode(claims(), SECRET, "HS256")

    assert sessions().of_token(token) == Session("A" * 24, NOW + 100)


@pytest.mark.parametrize(
    "forged",
    [
        jwt.encode(claims(), "another secret of 32 letters....", "HS256"),
        jwt.encode(claims(), SECRET, "HS512"),
        jwt.encode(claims(), None, "none"),
        jwt.encode(claims(aud="somebody-else"), SECRET, "HS256"),
        *(jwt.encode(claims(**{missing: ...}), SECRET, "HS256") for missing in ("aud", "sub", "iat", "exp")),
        jwt.encode(claims(exp=NOW), SECRET, "HS256"),
        jwt.encode(claims(exp="2100-01-01"), SECRET, "HS256"),
        jwt.encode(claims(exp=1e300), SECRET, "HS256"),
        jwt.encode(claims(sub="../../conversations"), SECRET, "HS256"),
        jwt.encode(claims(sub="telegram:1"), SECRET, "HS256"),
        jwt.encode(claims(sub=""), SECRET, "HS256"),
        jwt.encode(claims(sub="A" * 25), SECRET, "HS256"),
        jwt.encode(claims(more="x" * 1_000), SECRET, "HS256"),
        "",
        "x",
        "a.b.c",
        "é.é.é",
        "\ud800",
    ],
)
def test_any_other_token_is_nobodys(forged):
    assert sessions().of_token(forged) is None


def test_nobody_gets_past_the_signature_by_naming_another_algorithm_or_session():
    head, body, signature = jwt.encode(claims(), SECRET, "HS256").split(".")

    def encoded(data):
        return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()

    other = encoded(claims(sub="B" * 24))
    for token in (
        f"{head}.{other}.{signature}",
        f"{head}.{body}.",
        f"{encoded({'alg': 'none', 'typ': 'JWT'})}.{body}.",
        f"{encoded({'alg': 'none', 'typ': 'JWT'})}.{body}.{signature}",
        f"{encoded({'alg': 'RS256', 'typ': 'JWT'})}.{body}.{signature}",
    ):
        assert sessions().of_token(token) is None


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic YTpi", "TOKEN"])
def test_a_header_without_a_token_is_nobodys(header):
    token = sessions().token(sessions().new())

    assert sessions().of_header(header.replace("TOKEN", token)) is None


@pytest.mark.parametrize("length", [0, 1, MIN_SECRET_CHARS - 1])
def test_a_secret_that_can_be_guessed_is_refused_and_not_repeated(length):
    with pytest.raises(ValueError, match="COVAN_WEB_SECRET") as refused:
        Sessions("q" * length)

    assert "qq" not in str(refused.value)


def test_a_language_of_nobodys_in_a_token_is_left_out():
    assert sessions().of_token(jwt.encode(claims(lang="<b>"), SECRET, "HS256")).language == ""
