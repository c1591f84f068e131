"""Credentials in old versions of files: provider shapes only; the place and the commit are named, the value never."""

from valhalla_lint.core.evidence import Citation
from valhalla_lint.facts import providers
from valhalla_lint.facts.reading import decode, is_binary
from valhalla_lint.review.snapshot import GitTree
from valhalla_lint.review.tree import Tree

MAX_LINE = 20_000
"""Characters of a line that are searched; longer ones are data."""
SHORT = 12


def history_secrets(tree: Tree) -> tuple[Citation, ...] | None:
    """Where any version of any file holds a credential of a known provider's shape; None where there is no history."""
    if not isinstance(tree, GitTree):
        return None
    found: list[Citation] = []
    for path, blob, data in tree.versions():
        if is_binary(data):
            continue
        kinds: dict[tuple[int, str], None] = {}
        for number, line in enumerate(decode(data).text.split("\n"), 1):
            if len(line) <= MAX_LINE:
                kinds.update(
                    dict.fromkeys((number, token.kind.title) for token in providers.find(line) if not token.kind.test)
                )
        if kinds:
            commit = tree.introduced(blob)[:SHORT] or "(not told)"
            found.extend(
                Citation(path, number, number, f"{title}, first in commit {commit}", blob) for number, title in kinds
            )
    return tuple(sorted(found))
