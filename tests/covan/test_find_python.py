"""`scripts/find_python.sh` finds an interpreter that really runs, wherever it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "find_python.sh"


def make_executable(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def make_python(path: Path, version: str) -> Path:
    """A stand-in that answers, as an interpreter would, with its version and its own path."""
    return make_executable(path, f"echo '{version} {path}'")


def make_shim(path: Path) -> Path:
    """Write the shim that pyenv leaves on PATH for a version that is installed and not active."""
    return make_executable(path, "echo 'pyenv: python3.10: command not found' >&2; exit 127")


def find(home: Path, *wanted: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SCRIPT, *wanted],
        env={"HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


WANTED = "3.9999"
"""A version that no machine really has, so that only the stand-ins can be found."""


def test_one_on_path_is_found(tmp_path: Path) -> None:
    python = make_python(tmp_path / "bin" / f"python{WANTED}", WANTED)

    assert find(tmp_path, WANTED).stdout.strip() == str(python)


def test_a_plain_python3_of_the_right_version_is_found(tmp_path: Path) -> None:
    python = make_python(tmp_path / "bin" / "python3", WANTED)

    assert find(tmp_path, WANTED).stdout.strip() == str(python)


def test_a_shim_that_exits_127_is_no_python(tmp_path: Path) -> None:
    make_shim(tmp_path / "bin" / f"python{WANTED}")

    result = find(tmp_path, WANTED)

    assert result.returncode == 1
    assert result.stdout == ""


def test_behind_a_dead_shim_the_version_kept_by_pyenv_is_found(tmp_path: Path) -> None:
    make_shim(tmp_path / "bin" / f"python{WANTED}")
    python = make_python(tmp_path / ".pyenv" / "versions" / f"{WANTED}.13" / "bin" / "python", WANTED)

    assert find(tmp_path, WANTED).stdout.strip() == str(python)


def test_pyenv_root_is_followed(tmp_path: Path) -> None:
    python = make_python(tmp_path / "elsewhere" / "versions" / f"{WANTED}.1" / "bin" / "python", WANTED)

    assert find(tmp_path, WANTED, PYENV_ROOT=str(tmp_path / "elsewhere")).stdout.strip() == str(python)


def test_pyenv_itself_is_asked_for_its_root(tmp_path: Path) -> None:
    make_executable(tmp_path / "bin" / "pyenv", f'[ "$1" = root ] && echo {tmp_path}/asked')
    python = make_python(tmp_path / "asked" / "versions" / f"{WANTED}.1" / "bin" / "python", WANTED)

    assert find(tmp_path, WANTED).stdout.strip() == str(python)


def test_a_second_one_on_path_is_found_behind_a_dead_first(tmp_path: Path) -> None:
    make_shim(tmp_path / "bin" / f"python{WANTED}")
    python = make_python(tmp_path / "second place" / f"python{WANTED}", WANTED)

    result = find(tmp_path, WANTED, PATH=f"{tmp_path}/bin:{tmp_path}/second place:/usr/bin:/bin")

    assert result.stdout.strip() == str(python)


def test_the_wrong_version_under_the_right_name_is_passed_over(tmp_path: Path) -> None:
    make_python(tmp_path / "bin" / f"python{WANTED}", "3.8")

    assert find(tmp_path, WANTED).returncode == 1


def test_versions_are_preferred_in_the_order_given(tmp_path: Path) -> None:
    make_python(tmp_path / "bin" / "python3.9998", "3.9998")
    second = make_python(tmp_path / "bin" / f"python{WANTED}", WANTED)

    assert find(tmp_path, WANTED, "3.9998").stdout.strip() == str(second)


def test_one_that_uv_manages_is_found(tmp_path: Path) -> None:
    python = make_python(tmp_path / "managed" / "python", WANTED)
    uv = make_executable(tmp_path / "uv", f'[ "$1 $2" = "python find" ] && echo {python}')

    assert find(tmp_path, WANTED, UV=str(uv)).stdout.strip() == str(python)


@pytest.mark.parametrize(("allowed", "code"), [("1", 0), ("0", 1)])
def test_uv_downloads_one_only_when_allowed(tmp_path: Path, allowed: str, code: int) -> None:
    python = tmp_path / "downloaded" / "python"
    uv = make_executable(
        tmp_path / "uv",
        f"""case "$1 $2" in
"python install") mkdir -p {python.parent}
    printf '#!/bin/sh\\necho "{WANTED} {python}"\\n' > {python}; chmod 755 {python};;
"python find") [ -f {python} ] && echo {python};;
esac""",
    )

    result = find(tmp_path, WANTED, UV=str(uv), COVAN_INSTALL_PYTHON=allowed)

    assert result.returncode == code
    assert result.stdout.strip() == (str(python) if code == 0 else "")


def test_the_real_interpreter_behind_this_one_is_found() -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"

    result = subprocess.run([SCRIPT, version], capture_output=True, text=True, check=True)

    assert Path(result.stdout.strip()).is_file()
