"""`valhalla-lint review`: what a project's source shows at one commit, with the place behind every statement."""

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from valhalla_lint.core.evidence import Comparison, Review
from valhalla_lint.hosts.cli import status
from valhalla_lint.reports.comparison_html import comparison_html
from valhalla_lint.reports.printable import printable
from valhalla_lint.reports.review_html import review_html
from valhalla_lint.reports.review_json import DIFFERENCES, comparison_json, differences, plain_review, review_json
from valhalla_lint.reports.review_markdown import comparison_markdown, review_markdown
from valhalla_lint.reports.review_sarif import review_sarif
from valhalla_lint.review.compare import compare
from valhalla_lint.review.plain import open_source
from valhalla_lint.review.review import HISTORY, SEARCHED, review
from valhalla_lint.review.snapshot import GitTree
from valhalla_lint.review.tree import ReviewError, Tree

Writer = Callable[[Review, str], str]

FORMATS: dict[str, Writer] = {
    "json": lambda found, _: review_json(found),
    "markdown": review_markdown,
    "html": review_html,
    "sarif": lambda found, _: review_sarif(found),
}

MADE = "made."
"""Where a report says what it was made with; told first, since other versions explain the differences that follow."""

COMPARED: dict[str, Callable[[Comparison, str], str]] = {
    "json": lambda found, _: comparison_json(found),
    "markdown": lambda found, _: comparison_markdown(found),
    "html": comparison_html,
}


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `review`."""
    parser.add_argument(
        "target",
        nargs="*",
        metavar="REPO[@REV]",
        help="a git repository (work tree or bare) at a branch, tag or commit, HEAD if none is named; "
        "`compare` and two or more of them set them side by side",
    )
    parser.add_argument("--source", metavar="PATH", help="review a plain folder, a zip, a wheel or an sdist instead")
    parser.add_argument(
        "--output",
        action="append",
        default=[],
        metavar="FORMAT:FILE",
        help=(
            f"write a report; FORMAT is {', '.join(FORMATS)}; may be given several times (default: Markdown to the "
            "terminal)"
        ),
    )
    parser.add_argument(
        "--verify", metavar="FILE", help="review again and compare with this JSON; exit status 1 where they differ"
    )
    parser.add_argument(
        "--history-secrets",
        action="store_true",
        help=(
            "search all versions of all files for credentials of known providers' shapes; commits are named, values "
            "never"
        ),
    )
    parser.add_argument(
        "--link-base",
        default="",
        metavar="URL",
        help="address of the repository on its code host, for links in Markdown and HTML",
    )


def run(arguments: argparse.Namespace) -> int:
    """Review; write or compare."""
    try:
        return _run(arguments)
    except ReviewError as error:
        sys.stderr.write(f"valhalla-lint: {printable(str(error))}\n")
        return status.WRONG_USE


def _run(arguments: argparse.Namespace) -> int:
    outputs = [_output(text) for text in arguments.output]
    if arguments.link_base and not arguments.link_base.startswith(("https://", "http://")):
        raise ReviewError("--link-base is an address that starts with https://")
    if arguments.target[:1] == ["compare"]:
        return _compare(arguments, outputs)
    expected = _expected(arguments.verify) if arguments.verify else None
    with _tree(arguments, expected) as tree:
        found = review(tree, search_history=arguments.history_secrets or _searched(expected))
    for kind, path in outputs:
        _write(kind, path, FORMATS[kind](found, arguments.link_base))
    if expected is not None:
        return _verify(expected, found)
    if not outputs:
        sys.stdout.write(review_markdown(found, arguments.link_base))
    return status.CLEAN


def _tree(arguments: argparse.Namespace, expected: dict[str, object] | None) -> Tree:
    if arguments.source is not None:
        if arguments.target:
            raise ReviewError("name a repository or --source, not both")
        return open_source(Path(arguments.source))
    if len(arguments.target) != 1:
        raise ReviewError("name one repository, or --source; `review compare` takes several")
    place, revision = split(arguments.target[0])
    match expected:
        case {"target": {"revision": str() as known}} if known and not revision:
            revision = known
    return GitTree(place, revision or "HEAD")


def _searched(expected: dict[str, object] | None) -> bool:
    """Whether the review that is compared with had searched the history."""
    match expected:
        case {"made": {"settings": list() as settings}}:
            return [HISTORY, SEARCHED] in settings
        case _:
            return False


def split(target: str) -> tuple[Path, str]:
    """Folder and revision; a folder whose own name holds an `@` is taken as it is. Raises ReviewError for no name."""
    if not target:  # Path("") is the working folder, and an unset variable of a script does not mean that
        raise ReviewError("an empty name is no repository; . is the working folder")
    if Path(target).is_dir():
        return Path(target), ""
    cuts = [place for place, sign in enumerate(target) if sign == "@"]
    for cut in reversed(cuts):
        if Path(target[:cut]).is_dir():
            return Path(target[:cut]), target[cut + 1 :]
    return Path(target), ""


def _output(text: str) -> tuple[str, Path]:
    kind, sign, path = text.partition(":")
    if not sign or kind not in FORMATS or not path:
        raise ReviewError(f"--output {text!r}: write FORMAT:FILE, FORMAT one of {', '.join(FORMATS)}")
    if not (folder := Path(path).parent).is_dir():
        raise ReviewError(f"--output {text!r}: there is no folder {folder}")
    return kind, Path(path)


def _write(kind: str, path: Path, text: str) -> None:
    """Write a report, and say so: nothing else is printed where there is one."""
    try:
        path.write_bytes(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ReviewError(f"{path}: cannot be written: {error.strerror}") from error
    sys.stderr.write(f"{printable(str(path))}: {kind} written\n")


def _compare(arguments: argparse.Namespace, outputs: list[tuple[str, Path]]) -> int:
    """Review several trees and set them side by side."""
    if arguments.source or arguments.verify:
        raise ReviewError("compare takes neither --source nor --verify")
    if len(arguments.target) < len(("compare", "one", "other")):
        raise ReviewError("compare takes two or more repositories, each as REPO or REPO@REV")
    if wrong := sorted({kind for kind, _ in outputs} - set(COMPARED)):
        raise ReviewError(f"a comparison is written as {', '.join(COMPARED)}, not as {wrong[0]}")
    with ExitStack() as stack:
        places = [split(target) for target in arguments.target[1:]]
        trees = [stack.enter_context(GitTree(place, revision or "HEAD")) for place, revision in places]
        found = compare(trees)
    for kind, path in outputs:
        _write(kind, path, COMPARED[kind](found, arguments.link_base))
    if not outputs:
        sys.stdout.write(comparison_markdown(found))
    return status.CLEAN


def _expected(path: str) -> dict[str, object]:
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ReviewError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ReviewError(f"{path}: is no review in JSON") from error
    if not isinstance(found, dict) or "target" not in found:
        raise ReviewError(f"{path}: is no review in JSON")
    return found


def _verify(expected: dict[str, object], found: Review) -> int:
    told = sorted(differences(expected, plain_review(found)), key=lambda line: not line.startswith(MADE))
    for line in told[:DIFFERENCES]:
        sys.stdout.write(f"{printable(line)}\n")
    if len(told) > DIFFERENCES:
        sys.stdout.write(f"… and {len(told) - DIFFERENCES} more differences\n")
    if told:
        return status.FOUND
    sys.stdout.write(f"the same: {found.target.revision or found.target.digest}\n")
    return status.CLEAN
