"""`python -m posenc`: list the encodings, show one with its numbers, plot what can be drawn."""

import sys

from posenc.command_line import main

if __name__ == "__main__":
    sys.exit(main())
