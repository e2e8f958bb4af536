#!/bin/sh
# Sets up what a target needs: bootstrap.sh run|test|package, from the root of the tree.
# A copy of the lock that was installed lies in .venv, so a second call only compares two files.
set -eu

target=$1
case $target in
    run) lock=requirements.lock ;;
    *) lock=requirements-dev.lock ;;
esac

fail() {
    echo "memory-tax: $1" >&2
    exit 1
}

# An interpreter counts when it runs, is of a version that the locked wheels exist for, and can make an environment.
version_fits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))'
makes_environments='import venv, ensurepip'

find_python() {
    found_without_venv=
    for name in ${MEMORY_TAX_PYTHON:-} python3.13 python3.12 python3.11 python3 python3.14; do
        "$name" -c "$version_fits" 2>/dev/null || continue
        if "$name" -c "$makes_environments" 2>/dev/null; then
            python=$name
            return
        fi
        found_without_venv=${found_without_venv:-$name}
    done
    if [ -n "$found_without_venv" ]; then
        fail "$found_without_venv has no venv module; on Debian and Ubuntu: sudo apt-get install python3-venv"
    fi
    fail "Python 3.11 to 3.14 is needed, and none of python3.13, python3.12, python3.11, python3 is one; put its path in MEMORY_TAX_PYTHON."
}

if ! .venv/bin/python -c "$version_fits" 2>/dev/null; then
    find_python
    echo "Setting up .venv with $("$python" --version) ..."
    rm -rf .venv
    "$python" -m venv .venv
fi

if ! cmp -s "$lock" ".venv/$lock"; then
    echo "Installing what $lock names ..."
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: \
        --require-hashes -r "$lock" || fail "pip could not install $lock; its message is above."
    cp "$lock" ".venv/$lock"
fi

exec .venv/bin/python packaging/system_libraries.py "$target"
