"""What processes that tests start are given: the environment without the tests' part, an end."""

import os
import shutil

# Allows Django's ORM beside Playwright's loop (conftest.chromium). A production site refuses to
# start with it, and whether it is set depends on which tests ran before in this process.
OWN = {"DJANGO_ALLOW_ASYNC_UNSAFE"}


# Before a command: the kernel asks it to stop when the process of pytest that started it is gone,
# even killed outright. `tools/serve.py` and workers then stop what they started. By its whole path,
# since some of the tests take PATH away.
ENDS_WITH_US = [shutil.which("setpriv") or "setpriv", "--pdeathsig=TERM"]


def child_environment() -> dict[str, str]:
    """Return a copy to extend."""
    return {name: value for name, value in os.environ.items() if name not in OWN}
