#!/usr/bin/env bash
# Have the system's packages for the sandbox and the browser: packages.sh sandbox|browser...
#
# As root, or with a sudo that asks nothing, installs what is missing; else prints the line to type.
# Never fails: the site runs without a sandbox and says so, and tests that lack something are loud.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/say.sh
. tools/apt.sh

# get_package PACKAGE WHAT-FOR: install it, or say how and what goes without it.
get_package() {
    can_install && apt_install "$1" && return
    warn "$1 is missing: $2. To have it, type: $(line_to_type "$1")"
    return 1
}

confines() { bwrap --unshare-all --unshare-user --disable-userns --ro-bind / / true 2>/dev/null; }

# Ubuntu 24.04 forbids user namespaces to programs that no AppArmor profile names.
allow_user_namespaces() {
    local switch=/proc/sys/kernel/apparmor_restrict_unprivileged_userns
    local install="install -m 644 tools/apparmor/bwrap /etc/apparmor.d/bwrap"
    local load="apparmor_parser -r /etc/apparmor.d/bwrap"
    if [ "$(cat $switch 2>/dev/null || echo 0)" != 1 ]; then
        warn "bubblewrap is there but cannot make a sandbox, so code is not graded." \
            "docs/operations.md, section “Let the sandbox start”, names the reasons; or ask: manage.py sandbox_check"
    elif can_install; then
        say "installing the AppArmor profile that lets bubblewrap make user namespaces"
        "${as_root[@]}" $install && "${as_root[@]}" $load && confines ||
            warn "the AppArmor profile did not help: code is not graded"
    else
        warn "AppArmor forbids the sandbox, so code is not graded." \
            "To allow it, type here: sudo $install && sudo $load"
    fi
}

sandbox() {
    command -v bwrap >/dev/null || get_package bubblewrap "code is not graded without it" || return 0
    confines || allow_user_namespaces
}

find_browser() { .venv/bin/python tools/find_chromium.py >/dev/null; }

# What drives the browser is a program of Playwright's wheel; a bare Debian lacks a library of it.
drives() { .venv/bin/python -m playwright --version >/dev/null 2>&1; }

browser() {
    drives || get_package libatomic1 "browser tests cannot run without it" || true
    find_browser && return
    if grep -q '^ID=ubuntu' /etc/os-release 2>/dev/null; then
        # Ubuntu's chromium is a snap, which cannot be driven; Playwright brings its own.
        local get=(.venv/bin/python -m playwright install chromium)
        if can_install; then
            say "installing Chromium by Playwright (Ubuntu's own is a snap)"
            "${as_root[@]}" .venv/bin/python -m playwright install-deps chromium >/dev/null || true
            "${get[@]}" >/dev/null || true
        fi
        find_browser || warn "no Chromium for the browser tests. Type: ${get[*]}" \
            "(and: sudo .venv/bin/python -m playwright install-deps chromium), or install google-chrome"
    else
        # The shell takes less of the processor and of the disk; older Debians have none.
        can_install && apt_install chromium-headless-shell && return
        get_package chromium "browser tests cannot run without it" || true
    fi
}

for need in "$@"; do "$need"; done
