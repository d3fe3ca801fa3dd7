"""Static files as production serves them: named by content, scripts without comments.

A module has one address, that with its hash, also for the modules that import it: a browser runs a
module once for each address. So every address of a module in our scripts is written out, between
quotes and from `./` or `../`, for a static import, `import(...)` or a function that imports.

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
_MODULE = (r"""(?P<matched>(["'])(?P<url>\.\.?/[\w./-]+\.js)\2)""", '"%(url)s"')
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

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *((f"{folder}*.js", (_MODULE,)) for folder in OURS),
    )
    max_post_process_passes = 50  # each names one more level of imports; the last finds no change

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".js") and name.startswith(OURS):
            script = b"".join(content.chunks())  # from the beginning: it may have been read before
            content = ContentFile(without_comments(script.decode()).encode())
        saved: str = super()._save(name, content)
        return saved
