"""Path patterns as .gitignore files write them."""

from collections.abc import Callable, Iterable
from functools import lru_cache

Matcher = Callable[[str], int | None]


@lru_cache(maxsize=1024)
def matcher(patterns: tuple[str, ...]) -> Matcher:
    """A function from a relative POSIX path (a folder ends with a slash) to the number of the pattern that takes it in.

    The function answers None where no pattern fits, and -1 where the last that fits is a negation (`!kept.py`).
    Patterns that cannot be read fit nothing.
    """
    if not patterns:
        return lambda _path: None
    from pathspec import GitIgnoreSpec  # costs more than the rest of a start: only where there are patterns

    spec = GitIgnoreSpec.from_lines(_readable(patterns))

    def match(path: str) -> int | None:
        result = spec.check_file(path)
        if result.include is None:
            return None
        return (result.index or 0) if result.include else -1

    return match


def _readable(patterns: Iterable[str]) -> list[str]:
    """The patterns, with those that the library refuses made void (their numbers stay)."""
    from pathspec import GitIgnoreSpec

    kept = []
    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            kept.append("")
        else:
            kept.append(pattern)
    return kept


def matches(patterns: tuple[str, ...], path: str) -> str:
    """The pattern that takes a path in, "" where none does or the last that fits is a negation."""
    if not patterns:
        return ""
    number = matcher(patterns)(path)
    return "" if number is None or number < 0 else patterns[number]
