"""`python -m beliefsearch`."""

import os
import sys

if __name__ == "__main__":
    if not sys.flags.safe_path and sys.path[0] in ("", os.getcwd()):
        del sys.path[0]  # `python -m` puts the current folder there, and nothing is to be imported from it

    from .cli import program

    program()
