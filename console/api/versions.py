"""The versions of the knowledge folder: who changed what, and back to what it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from console.api import answers
from console.api.dependencies import Editor, Parts, Reader
from console.versions import COMMIT_PATTERN, PAGE, LaterChangesError, NoVersionError

router = APIRouter()

Commit = Annotated[str, Path(pattern=COMMIT_PATTERN)]


@router.get("/versions", response_model=answers.VersionPage)
def versions(
    _: Reader, console: Parts, skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> Mapping[str, Any]:
    """Return `PAGE` versions after the first `skip`, the newest first; `kept`: whether the `folder` keeps any."""
    kept = console.publisher.versions
    page = kept.page(skip)
    return {
        "kept": kept.are_kept,
        "folder": str(console.publisher.files.knowledge.resolve()),
        "versions": page,
        "more": len(page) == PAGE,
    }


@router.get("/versions/{commit}", response_model=answers.VersionChanges)
def version(commit: Commit, _: Reader, console: Parts) -> Mapping[str, Any]:
    """Return what a version changed, as a unified diff, and the files that are not as they were then.

    `undoable` tells whether it can be undone alone: it is not the first one, and no later one changed the same lines.
    """
    kept = console.publisher.versions
    diff = kept.diff(commit)
    try:
        undoable = bool(kept.undone(commit))
    except (LaterChangesError, NoVersionError):
        undoable = False
    return {"commit": commit, "diff": diff, "differing": kept.differing(commit), "undoable": undoable}


@router.post("/versions/{commit}/restore", response_model=answers.MadeVersion)
def restore(commit: Commit, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Bring the folder back to a version, files and index together.

    That is a version of its own; an empty `commit` says that nothing differs.
    """
    made = console.publisher.restore(commit, (account.name, account.login))
    console.audit.note(account.login, "restore", commit, commit=made.commit, parts=made.parts)
    return {"commit": made.commit, "index": console.publisher.live.version}


@router.post("/versions/{commit}/undo", response_model=answers.MadeVersion)
def undo(commit: Commit, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Undo what one version changed and keep what came later; 409 when a later one changed the same lines.

    That is a version of its own; an empty `commit` says that it was undone already.
    """
    made = console.publisher.undo(commit, (account.name, account.login))
    console.audit.note(account.login, "undo", commit, commit=made.commit, parts=made.parts)
    return {"commit": made.commit, "index": console.publisher.live.version}
