# Sourced by install.sh. torch has a step of its own because on Linux the package index may serve a
# build that carries 5 GB of CUDA libraries, which a machine without an NVIDIA device cannot use.
# TORCH=auto asks pip which build it would take and turns away from CUDA where it is useless;
# TORCH=cpu and TORCH=default decide it. TORCH_CPU_INDEX is set in the Makefile, and only there.

has_nvidia() { [ -e /dev/nvidiactl ] || [ -e /dev/dxg ] || { command -v nvidia-smi && nvidia-smi -L; } >/dev/null 2>&1; }

# What pip would install now: "cuda" or "cpu".
build_pip_would_take() {
    "$python" -m pip install -qq --disable-pip-version-check --no-input --dry-run \
        --ignore-installed --report - -r requirements-torch.txt -c tools/constraints.txt |
        "$python" -c '
import json, sys
names = [item["metadata"]["name"].lower() for item in json.load(sys.stdin)["install"]]
print("cuda" if any(name.startswith(("nvidia", "cuda", "triton")) for name in names) else "cpu")'
}

wants_cpu_index() {
    local build
    [ "$TORCH" = default ] && return 1
    if [ "$TORCH" = auto ] && has_nvidia; then
        say "an NVIDIA device is here: taking the default torch"
        return 1
    fi
    say "asking pip which torch it would take"
    build=$(build_pip_would_take) || fail "pip could not look up torch" \
        "its message is above; the first start needs a network or a filled pip cache"
    [ "$build" = cuda ]
}

# "--force-reinstall" when the CUDA build is installed, which satisfies pip's eye for versions.
replace_cuda() {
    "$python" -c '
from importlib.metadata import PackageNotFoundError, requires
try:
    print("--force-reinstall" if "nvidia" in " ".join(requires("torch") or []) else "")
except PackageNotFoundError:
    pass'
}

choose_and_install_torch() {
    case $TORCH in auto | cpu | default) ;; *) fail "TORCH=$TORCH: must be auto, cpu or default" ;; esac
    if wants_cpu_index; then
        say "pip would take torch with CUDA; installing the CPU build (about 200 MB) from $TORCH_CPU_INDEX"
        if ! "$python" -m pip install -qq --no-input --no-deps $(replace_cuda) \
            --index-url "$TORCH_CPU_INDEX" -r requirements-torch.txt; then
            warn "PyTorch's CPU index gave no torch: taking the default build, several GB"
        fi
    else
        say "installing torch (about 200 MB)"
    fi
    pip_install -r requirements-torch.txt -c tools/constraints.txt
}
