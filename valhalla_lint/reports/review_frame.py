"""What pages about reviews share. Nothing is fetched, and nothing but our own script may run."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

ASSETS = Path(__file__).parent / "assets"


@cache
def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def opening(title: str, basics: Iterable[str], sections: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Everything up to the content. title: plain text. basics: lines of HTML. sections: id and title of each."""
    css, script = _asset("review.css"), _asset("review.js")
    policy = (
        f"default-src 'none'; style-src 'sha256-{_digest(css)}'; script-src 'sha256-{_digest(script)}'; base-uri "
        "'none'; form-action 'none'"
    )
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>{escape(title)}</title><style>{css}</style></head><body>"
    yield '<a class="skip" href="#main">Skip to the content</a>'
    yield f"<header><h1>{escape(title)}</h1>"
    yield from basics
    yield "</header>"
    yield (
        '<nav aria-label="Sections"><ul>'
        + "".join(f'<li><a href="#{key}">{name}</a></li>' for key, name in sections)
        + "</ul></nav>"
    )
    yield '<main id="main">'


def closing() -> Iterator[str]:
    """Everything after the content."""
    yield "</main><footer>Made by valhalla-lint from source alone; nothing of it was run.</footer>"
    yield f"<script>{_asset('review.js')}</script></body></html>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> Iterator[str]:
    """A table that becomes a list on narrow screens. rows: HTML. numbers: the columns that are set to the right."""

    def kind(place: int) -> str:
        return ' class="number"' if place in numbers else ""

    yield '<div class="scroll"><table class="stack"><thead><tr>'
    yield "".join(f'<th scope="col"{kind(place)}>{escape(word)}</th>' for place, word in enumerate(head))
    yield "</tr></thead><tbody>"
    for row in rows:
        cells = "".join(
            f'<td data-head="{escape(head[place])}"{kind(place)}>{cell}</td>' for place, cell in enumerate(row)
        )
        yield f"<tr>{cells}</tr>"
    yield "</tbody></table></div>"
