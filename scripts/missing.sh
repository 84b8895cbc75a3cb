#!/bin/sh
# Say what a machine lacks for Covan and how to get it.
#
#   scripts/missing.sh python | python3.10 | venv | uv    say it
#   scripts/missing.sh --unless-node                      say it and fail unless Node.js and npm are good enough
set -u

say() {
    {
        printf '\n%s\n' "$1"
        shift
        for way in "$@"; do printf '  - %s\n' "$way"; done
        printf '\nThen run the same command again.\n'
    } >&2
}

case ${1:-} in
python)
    say 'Covan needs Python 3.11, 3.12 or 3.13, and none was found. Any one of these brings it:' \
        'Debian 12, Ubuntu 24.04 or later:  sudo apt install python3 python3-venv' \
        'pyenv:                             pyenv install 3.11' \
        'uv:                                uv python install 3.11' \
        'macOS with Homebrew:               brew install python@3.11' \
        'an installer:                      the "Downloads" page of python.org'
    ;;
python3.10)
    say 'Rasa needs Python 3.10 (no other version), and none was found. It may stand beside any other Python.
Any one of these brings it:' \
        'uv:                   uv python install 3.10    (or .tools/bin/uv python install 3.10)' \
        'pyenv:                pyenv install 3.10        (it need not be the active version)' \
        'Ubuntu 22.04:         sudo apt install python3.10 python3.10-venv' \
        'macOS with Homebrew:  brew install python@3.10' \
        'an installer:         the "Downloads" page of python.org'
    ;;
venv)
    say 'This Python cannot make a virtual environment. Either of these mends it:' \
        'Debian, Ubuntu:  sudo apt install python3-venv' \
        'any system:      install uv (the page "Installation" of the uv documentation)'
    ;;
uv)
    say 'uv could not be installed with pip. Check the network or the proxy, or install uv yourself:' \
        'pipx:        pipx install uv' \
        'any system:  the page "Installation" of the uv documentation'
    ;;
--unless-node)
    version=$(node --version 2>/dev/null </dev/null) || version=
    # What Vite 8 and its test tools run on.
    node -e 'const [major, minor] = process.versions.node.split(".").map(Number);
process.exit((major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major > 22 ? 0 : 1)' \
        2>/dev/null </dev/null && command -v npm >/dev/null 2>&1 && exit 0
    say "The chat page is built with Node.js 20.19, 22.13 or later and npm; found: ${version:-none}. Any one of these brings it:" \
        'Debian 13, Ubuntu 26.04 or later:  sudo apt install nodejs npm' \
        'nvm:                               nvm install 22' \
        'macOS with Homebrew:               brew install node' \
        'an installer:                      the "Download" page of nodejs.org'
    exit 1
    ;;
*)
    echo "usage: scripts/missing.sh python | python3.10 | venv | uv | --unless-node" >&2
    exit 2
    ;;
esac
