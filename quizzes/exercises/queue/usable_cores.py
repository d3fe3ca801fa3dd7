"""The cores that this process may use: a container's quota is not in its affinity."""

import contextlib
import os
from pathlib import Path

OWN_GROUP = Path("/proc/self/cgroup")
GROUPS = Path("/sys/fs/cgroup")


def usable_cores() -> int:
    """Return how many whole cores affinity and quotas (`cpu.max` of cgroup v2) leave, at least 1.

    A group's quota holds for all groups below it.
    """
    cores = len(os.sched_getaffinity(0))
    with contextlib.suppress(OSError):  # no control groups here
        for line in OWN_GROUP.read_text().splitlines():
            if line.startswith("0::/"):
                group = GROUPS / line.removeprefix("0::/")
                for folder in (group, *group.parents):
                    if folder.is_relative_to(GROUPS):
                        cores = min(cores, _quota(folder / "cpu.max", cores))
    return max(1, cores)


def _quota(file: Path, otherwise: int) -> int:
    """Return the whole cores that a file allows, `otherwise` where it sets no limit."""
    with contextlib.suppress(FileNotFoundError):  # the root has none
        quota, period = file.read_text().split()
        if quota != "max":
            return int(quota) // int(period)
    return otherwise
