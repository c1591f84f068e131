"""What every linter in Python pays at least: reading all files of a folder and parsing each.

Run as a program of its own: `python floor.py FOLDER`. Imports as little as it can.
"""

import ast
import os
import sys
import warnings


def main(root: str) -> int:
    """Parse every `*.py` file below a folder, one at a time; returns how many parsed."""
    warnings.simplefilter("ignore")
    parsed = 0
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(folder, name), "rb") as stream:  # noqa: PTH118, PTH123 -- a floor imports no pathlib
                    data = stream.read()
                try:
                    ast.parse(data)
                except (SyntaxError, ValueError):
                    continue
                parsed += 1
    return parsed


if __name__ == "__main__":
    print(main(sys.argv[1]))
