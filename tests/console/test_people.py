"""Administrators change accounts over the API."""

from __future__ import annotations

from console_driver import PASSWORD, Enter

from console.api.dependencies import Console


def test_a_second_administrator_is_told_the_account_as_it_is_and_who_saved_it(
    enter: Enter, console: Console
) -> None:
    console.accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD)
    first, second = enter("administrator"), enter("administrator", "editor")
    [seen] = [each for each in first.get("/api/people").json()["people"] if each["login"] == "lan"]
    change = {"version": seen["version"], "password_version": seen["password_version"]}
    theirs = second.patch("/api/people/lan", json={**change, "roles": ["editor"], "mail": "lan@t.test"})
    assert theirs.status_code == 200, theirs.text

    refused = first.patch("/api/people/lan", json={**change, "name": "Cô Lan Anh"})

    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    detail = refused.json()["detail"]
    assert detail["theirs"] == theirs.json()
    assert (detail["theirs"]["roles"], detail["theirs"]["mail"]) == (["editor"], "lan@t.test")
    assert detail["version"] == theirs.json()["version"] != seen["version"]
    assert detail["saved"]["name"] == "Cô administrator-editor"
    assert "argon2" not in refused.text
    assert [each["action"] for each in console.audit.page()].count("change_person") == 1
    again = {**change, "version": detail["version"], "name": "Cô Lan Anh"}
    assert first.patch("/api/people/lan", json=again).json()["name"] == "Cô Lan Anh"
    # Which change it is made of must be said.
    assert first.patch("/api/people/lan", json={"name": "Cô Mai"}).status_code == 422
