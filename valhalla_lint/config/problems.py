"""Mistakes in a configuration: all of them are gathered, and told at once."""

from typing import NamedTuple


class Problem(NamedTuple):
    """One mistake: in which file (or option), at which key, what is wrong, and what was perhaps meant."""

    file: str
    key: str
    message: str
    suggestion: str = ""

    def __str__(self) -> str:
        """The mistake in one line."""
        place = f"{self.file}: {self.key}" if self.key else self.file
        return f"{place}: {self.message}{meant(self.suggestion)}"


class ConfigurationError(Exception):
    """Everything that is wrong with a configuration."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Keep the mistakes in the order in which they were met."""
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems

    def __reduce__(self) -> tuple[type["ConfigurationError"], tuple[tuple[Problem, ...]]]:
        """A worker process hands it on whole."""
        return type(self), (self.problems,)


def meant(suggestion: str) -> str:
    """The words that offer a suggestion, "" for none."""
    return f" (did you mean {suggestion}?)" if suggestion else ""


def near(word: str, known: tuple[str, ...]) -> str:
    """The known word that is most like one, "" where none is."""
    from difflib import get_close_matches  # only where there is a mistake

    lower = {item.lower(): item for item in known}
    plain = word.lower().replace("_", "-")
    found = get_close_matches(plain, lower, n=1) or [item for item in lower if plain and item.startswith(plain)]
    return lower[found[0]] if found else ""
