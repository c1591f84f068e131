"""How reports of reviews show a place: in words, as a link to the code host, as the command that shows it."""

from urllib.parse import quote

from valhalla_lint.core.evidence import Citation, Target

BLOB = "blob"
SHORT = 12
"""Signs of an id that a person reads."""


def where(place: Citation) -> str:
    """Path and lines."""
    if not place.line:
        return place.path
    if place.end_line > place.line:
        return f"{place.path}:{place.line}-{place.end_line}"
    return f"{place.path}:{place.line}"


def link(place: Citation, target: Target, base: str) -> str:
    """The address of a place on a code host, "" without a base or a commit.

    base: up to the repository (`https://host/owner/name`); the form of the path is the one that the usual hosts share.
    """
    if not base or not target.revision or not place.path:
        return ""
    lines = ""
    if place.line:
        lines = f"#L{place.line}" + (f"-L{place.end_line}" if place.end_line > place.line else "")
    return f"{base.rstrip('/')}/{BLOB}/{target.revision}/{quote(place.path)}{lines}"


def command(place: Citation, target: Target) -> str:
    """The plain command that shows a place, "" where the statement is about the whole tree."""
    if target.source != "git":
        return ""
    if not place.object_id:
        return f"git ls-tree -r {target.revision}" if not place.path else ""
    show = f"git cat-file -p {place.object_id}"
    return f"{show} | sed -n '{place.line},{max(place.line, place.end_line)}p'" if place.line else show
