"""Zalo's channel in a server, with a real database and a stand-in of Zalo: students are answered."""

import itertools

import httpx
import pytest
from echo_school import EchoSchool
from zalo_api import BLOCKED, FAILED, LIMIT, NO_MONEY, NOT_FOLLOWED, OUTSIDE_WINDOW

from channels.delivery.draft import Draft
from channels.delivery.message import ADVISOR, NOTICE
from channels.zalo import access, send

DAY_S = 24 * 3600.0


class School(EchoSchool):
    """One process with the channel."""

    def __init__(self, zalo, database, **settings):
        self.zalo = zalo
        super().__init__(
            "zalo",
            database,
            **{
                "zalo_app_id": zalo.app_id,
                "zalo_app_secret": zalo.app_secret,
                "zalo_oa_secret": zalo.oa_secret,
                "zalo_refresh_token": "refresh-token-0",
                "zalo_api_url": zalo.url,
                "zalo_oauth_url": zalo.url,
                **settings,
            },
        )

    def post(self, *events):
        for event in events:
            assert self.zalo.post(self.webhook, event).status_code == 200


@pytest.fixture
def open_school(zalo, tmp_path):
    """Starts schools on one database."""
    opened = []

    def opening(**settings):
        school = School(zalo, tmp_path / "channels.sqlite", **settings)
        school.start()
        opened.append(school)
        return school

    yield opening
    for school in opened:
        if school.thread.is_alive():
            school.stop()


@pytest.fixture
def school(open_school):
    return open_school()


def texts(messages):
    return [message["text"] for message in messages]


# --- what is posted ---------------------------------------------------------------------------------------------------


def test_students_are_answered_each_in_their_order_and_once(school, zalo):
    events = [zalo.message(student, f"câu {number}") for number in range(4) for student in ("31", "32", "33")]
    school.post(*(event for event in events for _ in range(2)))

    for student in ("31", "32", "33"):
        assert texts(zalo.wait_for(student, 4)) == [f"re: câu {number}" for number in range(4)]


def test_followers_the_menu_and_stickers_reach_the_bot_as_what_they_are(school, zalo):
    follow = zalo.follow("31")
    school.post(
        follow, follow, zalo.message("31", "#ho-so"), zalo.sends("31", "sticker"), zalo.unfollow("31")
    )

    assert texts(zalo.wait_for("31", 3)) == ["re: [start]", "re: [profile]", "re: [sticker]"]


def test_a_press_brings_back_the_id_of_what_was_offered(school, zalo):
    school.post(zalo.message("31", "chọn"))
    first, second = zalo.wait_for("31", 1)[0]["attachment"]["payload"]["buttons"]
    school.post(zalo.presses("31", second))

    assert (first["title"], second["title"]) == ("Một", "Hai")
    assert texts(zalo.wait_for("31", 2))[1] == f"re: [{second['payload'][3:]}]"


def test_the_acknowledgement_does_not_wait_for_the_answer(school, zalo):
    school.echo.gate.clear()
    school.post(zalo.message("31", "câu khó"))
    assert zalo.seen_by("31") == []
    school.echo.gate.set()

    assert texts(zalo.wait_for("31", 1)) == ["re: câu khó"]


def test_what_was_acknowledged_is_answered_after_a_restart_once(open_school, zalo):
    first = open_school()
    zalo.fail_next(FAILED, 503, times=3)
    first.post(zalo.message("31", "trước khi dừng"))
    first.undelivered(1)
    first.stop()
    zalo.forget_failures()
    second = open_school()
    second.post(zalo.message("31", "sau đó"))

    assert texts(zalo.wait_for("31", 2)) == ["re: trước khi dừng", "re: sau đó"]
    assert zalo.used_again == []


# --- what is sent -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status"), [(LIMIT, 200), (FAILED, 200), (FAILED, 503), ((-9, "odd"), 200)]
)
def test_a_busy_zalo_gets_the_message_later_and_those_after_it_too(school, zalo, monkeypatch, error, status):
    monkeypatch.setattr(send, "LIMIT_PAUSE_S", 1.0)
    zalo.fail_next(error, status)
    school.post(zalo.message("31", "một"), zalo.message("31", "hai"))

    assert texts(zalo.wait_for("31", 2)) == ["re: một", "re: hai"]
    tried = [asked for asked in zalo.asked if asked.path == "v3.0/oa/message/cs"]
    assert [bool(asked.error) for asked in tried] == [True, False, False]
    assert all(after.at - before.at >= 0.9 for before, after in itertools.pairwise(tried[:2]))


def test_a_student_who_is_gone_is_given_up_and_shown(school, zalo):
    zalo.fail_next(BLOCKED)
    school.post(zalo.message("31", "một"))
    (call,) = school.undelivered(1)

    assert "closed" in call["why"]
    assert call["state"] == "refused"
    school.post(zalo.message("31", "hai"))
    assert texts(zalo.wait_for("31", 1)) == ["re: hai"]


@pytest.mark.parametrize("error", [OUTSIDE_WINDOW, NOT_FOLLOWED, NO_MONEY])
def test_what_zalo_does_not_allow_now_is_sent_when_the_student_writes(school, zalo, error):
    zalo.fail_next(error)
    school.post(zalo.message("31", "một"))
    (call,) = school.undelivered(1)

    assert call["state"] == "held"
    assert "when the student writes again" in call["why"]
    school.post(zalo.message("31", "hai"))
    assert texts(zalo.wait_for("31", 2)) == ["re: một", "re: hai"]


def test_an_advisor_reaches_the_student_for_seven_days_and_then_when_they_write(school, zalo):
    school.post(zalo.message("31", "một"))
    zalo.wait_for("31", 1)
    school.let_pass(6 * DAY_S)
    school.say("31", Draft("Chào em", ADVISOR, by="Cô Lan"))
    assert texts(zalo.wait_for("31", 2))[1] == "Cô Lan (cố vấn):\nChào em"

    asked = len(zalo.asked)
    school.let_pass(2 * DAY_S)
    school.say("31", Draft("Em còn cần không?", ADVISOR, by="Cô Lan"))
    (call,) = school.undelivered(1)
    assert ("seven days" in call["why"], call["state"]) == (True, "held")
    assert len(zalo.asked) == asked, "Zalo is not asked for what it does not allow"
    school.post(zalo.message("31", "dạ còn"))
    assert texts(zalo.wait_for("31", 4))[2:] == ["Cô Lan (cố vấn):\nEm còn cần không?", "re: dạ còn"]


def test_a_notice_that_is_out_of_date_is_dropped(school, zalo):
    school.post(zalo.message("31", "một"))
    zalo.wait_for("31", 1)
    school.let_pass(8 * DAY_S)
    school.say("31", Draft("Cô Lan đã vào.", NOTICE))
    school.finish()
    school.post(zalo.message("31", "hai"))

    assert texts(zalo.wait_for("31", 2)) == ["re: một", "re: hai"]


# --- the access token -------------------------------------------------------------------------------------------------


def test_the_token_of_the_settings_is_used_once_and_not_again_after_a_restart(open_school, zalo):
    first = open_school()
    first.post(zalo.message("31", "một"))
    zalo.wait_for("31", 1)
    first.stop()
    second = open_school()
    second.post(zalo.message("31", "hai"))

    assert texts(zalo.wait_for("31", 2)) == ["re: một", "re: hai"]
    assert (zalo.refreshed, zalo.used_again) == (1, [])


@pytest.mark.parametrize("how", ["expired", "replaced"])
def test_a_token_that_zalo_refuses_is_renewed_and_the_message_sent(school, zalo, monkeypatch, how):
    monkeypatch.setattr(access, "YOUNG_S", 0.0)
    school.post(zalo.message("31", "một"))
    zalo.wait_for("31", 1)
    if how == "expired":
        zalo.expired = True
    else:
        zalo.access_token = "of another app"
    school.post(zalo.message("31", "hai"), zalo.message("32", "ba"))

    assert texts(zalo.wait_for("31", 2)) == ["re: một", "re: hai"]
    assert texts(zalo.wait_for("32", 1)) == ["re: ba"]
    assert (zalo.refreshed, zalo.used_again) == (2, [])


def test_many_front_doors_never_use_a_refresh_token_twice(open_school, zalo, monkeypatch):
    monkeypatch.setattr(access, "YOUNG_S", 0.0)
    zalo.refresh_delay_s = 0.2
    schools = [open_school() for _ in range(3)]
    for round_ in range(3):
        for number, school in enumerate(schools):
            school.post(zalo.message(f"{number}{number}", f"lần {round_}"))
        for number in range(3):
            zalo.wait_for(f"{number}{number}", round_ + 1)
        zalo.expired = True

    assert zalo.used_again == []
    assert zalo.refreshed == 3


def test_without_a_token_messages_wait_and_are_sent_when_the_app_is_authorized(open_school, zalo):
    school = open_school(zalo_refresh_token="", public_url="https://tuvan.example.edu.vn")
    school.post(zalo.message("31", "một"))
    (call,) = school.undelivered(1)
    assert (call["state"], "covan channel zalo" in call["why"]) == ("waiting", True)

    link = httpx.URL(school.do(school.door.channels["zalo"]._access.link("https://x.example/cb")))
    code = zalo.authorize(link.params["code_challenge"])
    answer = httpx.get(f"{school.url}/webhooks/zalo/authorized", params={"code": code, "oa_id": zalo.oa_id})
    assert answer.status_code == 200
    assert texts(zalo.wait_for("31", 1)) == ["re: một"]


def test_a_chain_that_is_lost_is_told_and_goes_on_with_a_new_token(open_school, zalo, caplog):
    zalo.refresh_token = "another"
    first = open_school()
    first.post(zalo.message("31", "một"))
    (call,) = first.undelivered(1)
    assert "Run `covan channel zalo`" in call["why"]
    assert "refresh-token-0" not in caplog.text + call["why"]
    assert "Nothing can be sent on Zalo" in caplog.text
    first.stop()

    second = open_school(zalo_refresh_token="another")
    assert texts(zalo.wait_for("31", 1)) == ["re: một"]
    assert second.do(second.door.channels["zalo"]._access.known()).why == ""


def test_an_oauth_server_that_is_down_costs_no_token(school, zalo, monkeypatch):
    monkeypatch.setattr(access, "YOUNG_S", 0.0)
    zalo.wait_until(bool)
    zalo.fail_refresh(FAILED, 503)
    zalo.expired = True
    school.post(zalo.message("31", "một"))

    assert texts(zalo.wait_for("31", 1)) == ["re: một"]
    assert zalo.used_again == []
