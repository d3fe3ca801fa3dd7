# Sourced by the scripts beside it: how they speak.

say() { printf '[ordinal] %s\n' "$*"; }
warn() { printf '[ordinal] ATTENTION: %s\n' "$*" >&2; }
fail() {
    printf '[ordinal] STOPPED: %s\n' "$1" >&2
    shift
    for cure in "$@"; do printf '[ordinal]   cure: %s\n' "$cure" >&2; done
    exit 1
}
