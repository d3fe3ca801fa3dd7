"""The site's settings with other courses than the shipped, for processes that tests start."""

import os
from pathlib import Path

from quizzes.config.settings import *  # noqa: F403

COURSE = Path(os.environ["HOME_COURSE"])
