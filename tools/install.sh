#!/usr/bin/env bash
# Make .venv/ with all that the site (install.sh run) or also the tests (install.sh test) need.
#
# Does nothing when it is there already: stamps in .venv/ hold the hash of what was installed. After
# an interrupted installation the packages are looked through, since pip takes half-written ones for
# whole, and made again if need be.
# PYTHON=, TORCH= and TORCH_CPU_INDEX= come from the Makefile.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/say.sh
. tools/apt.sh

for_what=${1:?run or test}
: "${TORCH:=auto}" "${TORCH_CPU_INDEX:?run this by make, which knows it}"
python=.venv/bin/python
unfinished=.venv.unfinished

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

# Sets `found`, or, where there is none, `seen` to what was too old.
look_for_python() {
    local candidate
    found="" seen=""
    for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3}; do
        command -v "$candidate" >/dev/null || continue
        if is_new_enough "$candidate"; then
            found=$(command -v "$candidate")
            return
        fi
        seen="$seen $candidate ($("$candidate" -V 2>&1 | head -1))"
    done
    return 1
}

find_python() {
    look_for_python && return
    [ -z "${PYTHON:-}" ] && can_install && apt_install python3 python3-venv && look_for_python && return
    fail "Python 3.11 or newer is needed; found:${seen:- none}" \
        "Debian 12, Ubuntu 24.04 and later have it: $(line_to_type python3 python3-venv)" \
        "or name another one: make run PYTHON=/path/to/python3.12"
}

# Debian's python3 comes without ensurepip unless python3-venv is installed.
has_venv() { "$found" -c 'import ensurepip, venv' 2>/dev/null; }

have_venv() {
    has_venv && return
    local package
    package=$("$found" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    can_install && apt_install "$package" && has_venv && return
    fail "$found cannot make virtual environments (no ensurepip)" \
        "type: $(line_to_type "$package")   and again: make $for_what"
}

pip_install() {
    "$python" -m pip install -qq --disable-pip-version-check --no-input "$@" && return
    fail "pip could not install: $*" \
        "its message is above; without a network it says \"Failed to establish a new connection\"" \
        "behind a proxy: export https_proxy=http://...   then again: make $for_what"
}

make_environment() {
    find_python
    have_venv
    say "making .venv/ with $found ($("$found" -V))"
    rm -rf .venv
    "$found" -m venv .venv
    pip_install --constraint tools/constraints.txt pip
}

# A folder that was moved keeps the old path in every script of .venv/bin.
is_usable() {
    [ "$(cat .venv/stamp-environment 2>/dev/null)" = "$(pwd)" ] || return 1
    is_new_enough $python || return 1
    [ -e $unfinished ] || return 0
    say "the last installation did not finish: looking at what is there"
    $python tools/is_whole.py && return
    say "starting afresh"
    return 1
}

# step NAME FILE...: run install_NAME unless its stamp holds the hash of the files.
step() {
    local name=$1 hash
    shift
    hash=$(cat "$@" | sha256sum | cut -c1-64)
    [ "$(cat ".venv/stamp-$name" 2>/dev/null)" = "$hash" ] && return
    touch $unfinished
    "install_$name"
    echo "$hash" >".venv/stamp-$name"
}

install_torch() {
    . tools/torch.sh
    choose_and_install_torch
}

install_site() {
    say "installing what the site needs (requirements.txt)"
    pip_install -r requirements.txt
}

install_tests() {
    say "installing what the tests need (requirements-dev.txt)"
    pip_install -r requirements-dev.txt
}

exec 9>.venv.lock
flock --nonblock 9 || { say "another make is installing here: waiting for it" && flock 9; }

if ! is_usable; then
    touch $unfinished
    make_environment
    pwd >.venv/stamp-environment
fi
if [ "$TORCH" = auto ]; then TORCH=$(cat .venv/torch-choice 2>/dev/null || echo auto); fi
step torch requirements-torch.txt <(echo "$TORCH")
echo "$TORCH" >.venv/torch-choice
step site requirements.txt tools/constraints.txt encodings/pyproject.toml
[ "$for_what" = run ] || step tests requirements.txt requirements-dev.txt tools/constraints.txt
rm -f $unfinished
