"""Static files as production serves them: scripts without the comments that people read.

Comments on lines of their own and indentation are a sixth of what the scripts of a figure weigh
compressed. Nothing else of a script is touched, so that no parser is needed.
"""

import re
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The folders of our own scripts; those of others have their licences in comments.
OURS = (
    *("assessment/", "classes/", "exercises/", "figures/", "lessons/"),
    *("site/", "study/", "teaching/"),
)
_COMMENT = re.compile(r"^[ \t]*//[^\n]*\n", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def without_comments(script: str) -> str:
    """Return a script without its lines of comment and its indentation.

    A script with a text over several lines, in backticks, is returned as it is: what looks like a
    comment may be part of the text.
    """
    if any(line.count("`") % 2 for line in script.splitlines()):
        return script
    return _INDENT.sub("", _COMMENT.sub("", script))


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage, which names files by their content and compresses them."""

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".js") and name.startswith(OURS):
            script = b"".join(content.chunks())  # from the beginning: it may have been read before
            content = ContentFile(without_comments(script.decode()).encode())
        saved: str = super()._save(name, content)
        return saved
