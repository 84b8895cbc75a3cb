#!/bin/sh
# Install what sentence-transformers models need into a Python environment, with the releases of uv.lock:
#
#   scripts/install_transformers.sh .venv                                        beside what is there
#   scripts/install_transformers.sh .venv-transformers --group transformers-test  with the tests' own packages
#
# PyTorch is asked for apart from the rest. On Linux the build that package indexes give by default brings several
# gigabytes of CUDA libraries, which a server without a graphics card has no use for: unless UV_TORCH_BACKEND says
# otherwise ("auto" looks for a card), the CPU build is taken, from wherever this machine's pip or uv finds one, else
# from PyTorch's own index. $UV, or uv on PATH.
set -eu

environment=$1
shift
uv=${UV:-uv}

# Where pip was told of a folder of wheels, uv is told of it too.
if [ -z "${UV_FIND_LINKS:-}" ] && [ -n "${PIP_FIND_LINKS:-}" ]; then
    UV_FIND_LINKS=$(printf '%s' "$PIP_FIND_LINKS" | tr -s ' ' ',')
    export UV_FIND_LINKS
fi

exported() {
    "$uv" export --quiet --frozen --no-dev --no-emit-project --no-hashes --no-header --no-annotate --extra transformers "$@"
}

wanted=$environment/transformers.txt
exported "$@" --prune torch >"$wanted"
exported | grep '^torch==' >>"$wanted"

install() {
    "$uv" pip install --python "$environment/bin/python" --requirements "$wanted" "$@"
}

if [ -z "${UV_TORCH_BACKEND:-}" ] && install --dry-run 2>&1 | grep -q '^ + nvidia-'; then
    export UV_TORCH_BACKEND=cpu
fi
install --quiet
