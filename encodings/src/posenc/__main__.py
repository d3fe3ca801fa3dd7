"""`python -m posenc`: list the encodings, show an encoding with its numbers, plot its views."""

import sys

from posenc.command_line import main

if __name__ == "__main__":
    sys.exit(main())
