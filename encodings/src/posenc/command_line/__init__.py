"""The command line: `posenc list`, `posenc show ENCODING`, `posenc plot ENCODING VIEW`.

Exit codes: 0 done, 1 this machine lacks something, 2 the command cannot be used as it stands.
"""

import os
import sys
from collections.abc import Sequence

from posenc.command_line.parser import Misused, parse
from posenc.command_line.plotting import LacksMatplotlib, plot
from posenc.command_line.showing import list_all, show

COMMANDS = {"list": list_all, "show": show, "plot": plot}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; what is wrong goes to standard error."""
    try:
        command = parse(sys.argv[1:] if arguments is None else arguments)
        COMMANDS[command.name](command)
        sys.stdout.flush()
    except Misused as error:
        print(f"posenc: {error}", file=sys.stderr)
        return 2
    except LacksMatplotlib as error:
        print(f"posenc: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader, `head` for example, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
