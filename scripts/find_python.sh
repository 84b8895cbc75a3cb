#!/bin/sh
# Print the path of a Python interpreter that really runs and is of one of the given minor versions.
#
#   scripts/find_python.sh 3.10              the first Python 3.10 found
#   scripts/find_python.sh 3.11 3.12 3.13    the first of these, in this order
#
# Looked at for each version: every folder of PATH (a pyenv shim of a version that is not active exits 127 and is
# passed over), the versions that pyenv, mise and asdf keep, the usual prefixes, and those that uv manages. When
# COVAN_INSTALL_PYTHON=1 and uv is there ($UV, or on PATH), uv is asked to download one as a last resort.
# Exit code 1 and nothing on stdout when there is none.
set -u

uv=${UV:-$(command -v uv 2>/dev/null || true)}
home=${HOME:-/nonexistent}

# accept CANDIDATE VERSION: print the interpreter behind CANDIDATE when it runs and is of VERSION.
accept() {
    [ -f "$1" ] && [ -x "$1" ] || return 1
    found=$("$1" -I -c 'import sys
print("%d.%d %s" % (sys.version_info[0], sys.version_info[1], getattr(sys, "_base_executable", sys.executable)))' \
        2>/dev/null </dev/null) || return 1
    [ "${found%% *}" = "$2" ] || return 1
    printf '%s\n' "${found#* }"
}

search() {
    version=$1
    old_ifs=$IFS
    IFS=:
    for folder in ${PATH:-}; do
        IFS=$old_ifs
        for name in "python$version" python3 python; do
            accept "${folder:-.}/$name" "$version" && return 0
        done
        IFS=:
    done
    IFS=$old_ifs

    pyenv_root=${PYENV_ROOT:-}
    if [ -z "$pyenv_root" ] && command -v pyenv >/dev/null 2>&1; then
        pyenv_root=$(pyenv root 2>/dev/null || true)
    fi
    for candidate in \
        "$pyenv_root/versions/$version"*/bin/python \
        "$home/.pyenv/versions/$version"*/bin/python \
        "${MISE_DATA_DIR:-$home/.local/share/mise}/installs/python/$version"*/bin/python \
        "${ASDF_DATA_DIR:-$home/.asdf}/installs/python/$version"*/bin/python \
        "${UV_PYTHON_INSTALL_DIR:-$home/.local/share/uv/python}/cpython-$version"*/bin/"python$version" \
        "/usr/local/bin/python$version" "/opt/homebrew/bin/python$version" "/opt/python$version/bin/python$version"
    do
        accept "$candidate" "$version" && return 0
    done

    [ -n "$uv" ] || return 1
    managed=$("$uv" python find --no-project --no-python-downloads "$version" 2>/dev/null </dev/null) || return 1
    accept "$managed" "$version"
}

for wanted in "$@"; do
    search "$wanted" && exit 0
done

if [ "${COVAN_INSTALL_PYTHON:-0}" = 1 ] && [ -n "$uv" ]; then
    for wanted in "$@"; do
        "$uv" python install "$wanted" >&2 </dev/null || continue
        search "$wanted" && exit 0
    done
fi
exit 1
