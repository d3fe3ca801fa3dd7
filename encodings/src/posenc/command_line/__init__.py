"""The command line: `posenc list`, `show ENCODING`, `plot ENCODING VIEW`, `config FILE`.

Exit codes: 0 done, 1 this machine lacks something, 2 the command cannot be used as it stands.
"""

import errno
import os
import sys
from collections.abc import Sequence

from posenc.command_line.config import show_config
from posenc.command_line.parser import Misused, parse
from posenc.command_line.plotting import LacksMatplotlib, plot
from posenc.command_line.showing import list_all, show

COMMANDS = {"list": list_all, "show": show, "plot": plot, "config": show_config}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; errors go to standard error."""
    try:
        _run(sys.argv[1:] if arguments is None else arguments)
    except Misused as error:
        return _told(error, 2)
    except LacksMatplotlib as error:
        return _told(error, 1)
    except BrokenPipeError:  # the reader, `head` for example, has seen enough
        _discard_the_rest()
    except (
        OSError
    ) as error:  # errors of files are Misused: this is standard output, perhaps on a full disk
        _discard_the_rest()
        return _told(f"cannot write to standard output: {error.strerror}", 1)
    return 0


def _run(arguments: Sequence[str]) -> None:
    if sys.stdout is None:  # the caller has closed it
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    try:
        command = parse(arguments)
        COMMANDS[command.name](command)
    finally:  # help ends in an exit of its own
        sys.stdout.flush()


def _told(words: object, code: int) -> int:
    print(f"posenc: {words}", file=sys.stderr)
    return code


def _discard_the_rest() -> None:
    """Discard the output that is not yet printed, else Python complains as it ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
