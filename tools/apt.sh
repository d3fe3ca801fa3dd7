# Sourced by the scripts beside it: install a system package, where that needs no question.

as_root=()
can_install() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] && return
    as_root=(sudo -n)
    command -v sudo >/dev/null && sudo -n true 2>/dev/null
}

# apt_install PACKAGE...: refreshes the lists only when it does not work without.
apt_install() {
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
        -o DPkg::Lock::Timeout=300)
    say "installing $* (apt-get)"
    "${apt[@]}" install --no-install-recommends "$@" >/dev/null 2>&1 && return
    "${apt[@]}" update >/dev/null && "${apt[@]}" install --no-install-recommends "$@" >/dev/null
}

line_to_type() { echo "sudo apt-get update && sudo apt-get install -y $*"; }
