"""The versions of an index, side by side in one folder; one of them is current.

    INDEX/CURRENT               the name of the current version
    INDEX/HISTORY               the names of the versions that are kept, the last published first
    INDEX/versions/<version>/   one version (`rag.index.format`)
    INDEX/vectors.sqlite        every embedding made, by content hash
    INDEX/classifiers.sqlite    the classifiers learnt last, by what they were learnt from

A version is written aside and renamed, and `CURRENT` is replaced in one step: a reader sees the old index or the
new one. Earlier versions are kept for `roll_back`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from rag.errors import IndexUnusableError
from rag.index.format import (
    Index,
    Manifest,
    Stored,
    read_index,
    read_manifest_of,
    write_faq,
    write_index,
)
from rag.json_file import write_at_once
from rag.retrieve.embedder import Embedder

KEPT = 5
"""The number of versions that are kept, the current one among them."""


def current_version(index: Path) -> str | None:
    """Return the name of the current version; None when there is no index."""
    try:
        return (index / "CURRENT").read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None


def read_manifest(index: Path) -> Manifest:
    """Return the current version's manifest. Raises IndexUnusableError when there is no index or it cannot be read."""
    return read_manifest_of(current_folder(index))


def open_index(index: Path, embedder: Embedder) -> Index:
    """Open the current version. Raises IndexUnusableError when it cannot be used with this code and model."""
    return read_index(current_folder(index), embedder)


def publish(index: Index, out: Path, instead_of: str = "", made_from: Index | None = None) -> None:
    """Write an index to the folder `out` as its current version; delete the oldest versions beyond `KEPT`.

    Large parts that it shares with `made_from`, an opened version of `out`, are links to its files.

    The version `instead_of` is no longer kept: the next publication deletes it, when no engine has it open.
    """
    aside = _aside(out, index.manifest.version)
    aside.mkdir(parents=True)
    stored = Stored(made_from, out / "versions" / made_from.manifest.version) if made_from else None
    write_index(index, aside, stored)
    _make_current(aside, index.manifest.version, out, instead_of)


def publish_faq(index: Index, out: Path) -> None:
    """Write an index that differs from the current version in its FAQ, calculators and facts alone.

    The other files are those of that version.
    """
    aside = _aside(out, index.manifest.version)
    shutil.copytree(current_folder(out), aside, copy_function=os.link)
    write_faq(index, aside)
    _make_current(aside, index.manifest.version, out)


def _aside(out: Path, version: str) -> Path:
    """Return the path of a folder, not there yet, to write a version in."""
    aside = out / "versions" / f".{version}.{os.getpid()}"
    shutil.rmtree(aside, ignore_errors=True)
    return aside


def _make_current(aside: Path, version: str, out: Path, instead_of: str = "") -> None:
    versions = out / "versions"
    place = versions / version
    if place.exists():
        shutil.rmtree(place)
    aside.rename(place)
    replaced = current_version(out)
    before = [name for name in _history(out) if name not in (version, instead_of)]
    write_at_once(out / "HISTORY", "\n".join([version, *before][:KEPT]))
    write_at_once(out / "CURRENT", version)
    kept = {version, replaced, *before[: KEPT - 1]}
    for old in versions.iterdir():
        if old.name not in kept and not old.name.startswith("."):
            shutil.rmtree(old, ignore_errors=True)


def kept_versions(out: Path) -> list[Manifest]:
    """Return the manifests of the kept versions, the last published first, without damaged ones."""
    manifests = []
    for name in _history(out):
        try:
            manifests.append(read_manifest_of(out / "versions" / name))
        except IndexUnusableError:
            continue
    return manifests


def roll_back(out: Path, version: str | None = None) -> str:
    """Make an earlier version current again, the one published before the current one or `version`; return its name.

    Raises IndexUnusableError when there is no such version.
    """
    kept = [manifest.version for manifest in kept_versions(out)]
    current = current_version(out)
    if version is None:
        before = kept[kept.index(current) + 1 :] if current in kept else []
        if not before:
            raise IndexUnusableError(f"{out} has no earlier version to go back to")
        version = before[0]
    elif version not in kept:
        raise IndexUnusableError(f"{out} has no version {version!r}; it has: {', '.join(kept) or 'none'}")
    write_at_once(out / "CURRENT", version)
    return version


def current_folder(index: Path) -> Path:
    """Return the folder of the current version. Raises IndexUnusableError when there is no index."""
    version = current_version(index)
    if version is None:
        raise IndexUnusableError(
            f"there is no index in {index}; make one with `covan index DIR --out {index}`"
        )
    return index / "versions" / version


def _history(out: Path) -> list[str]:
    """Return the names of the versions, the last published first."""
    path = out / "HISTORY"
    return path.read_text(encoding="utf-8").split() if path.exists() else []
