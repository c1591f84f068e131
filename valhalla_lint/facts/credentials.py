"""Every hardcoded credential of a file, found once; each belongs to exactly one topic, whatever rules are selected.

Detectors propose: names bound to literals (`bindings`), and what literals hold by themselves (`contents`). Filters
dispose: a proposal stands if the points of its name, its value and its place together reach `BAR`. Where several speak
of one literal, the order of `TOPICS` decides.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.finding import Confidence
from valhalla_lint.core.regex import regex
from valhalla_lint.core.span import Span
from valhalla_lint.facts.binder import Bound
from valhalla_lint.facts.bindings import bindings
from valhalla_lint.facts.contents import REPEATS_NAME, Content, contents, decoded, is_strong, unread_contents
from valhalla_lint.facts.literals import target_name
from valhalla_lint.facts.providers import Token, find
from valhalla_lint.facts.secret_names import NameVerdict, names_in
from valhalla_lint.facts.strings import SHORT, Judgement, Reason, is_random, judge, shape_of
from valhalla_lint.facts.words import with_article, words

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

TOPICS = ("private key", "provider", "url", "authorization", "fallback", "comparison", "token")
"""What a credential is reported as; of several on one literal the first wins."""

BAR = 4.0
"""Points that name, value and place must reach together; chosen on labelled real code."""
SURE, LIKELY = 7.0, 5.5
"""Points from which the confidence is high and medium."""


class Credential(NamedTuple):
    """One hardcoded credential.

    topic: one of `TOPICS`. at: the literal, or the range inside it. kind: what it is, for messages.
    target: the name that it is bound to, or "". strong: provider-shaped or strongly random.
    secret: the value; it goes into no message.
    revoke: where a provider's token is made worthless.
    """

    topic: str
    at: ast.AST | Span
    kind: str
    target: str
    secret: str
    confidence: Confidence
    reasons: tuple[str, ...]
    strong: bool
    revoke: str = ""
    sandbox: bool = False


class _Proposal(NamedTuple):
    literal: ast.AST | None
    whole: bool
    credential: Credential


def credentials(module: "Module") -> tuple[Credential, ...]:
    """The credentials of a file in source order. Never raises on any text."""
    proposals: list[_Proposal] = []
    telling = names_in(module.text, module.lower)
    bounds = tuple(bindings(module, telling))
    examples = frozenset(bound.text for bound in bounds if _beside_example_user(module, bound))
    for bound in bounds:
        proposals.extend(_of_bound(module, bound, examples))
    for found in contents(module, telling):
        proposals.extend(_of_bound(module, found, examples) if isinstance(found, Bound) else _of_content(module, found))
    if module.parsed.problem:
        for content in unread_contents(module, telling):
            proposals.extend(_of_content(module, content))
    return tuple(_settle(module, proposals))


def _settle(module: "Module", proposals: Iterable[_Proposal]) -> Iterator[Credential]:
    """One verdict a literal and line: whole values in the order of topics, and what inside them says more."""
    groups: dict[object, list[_Proposal]] = {}
    for proposal in proposals:
        at = proposal.credential.at
        line = at.line if isinstance(at, Span) else getattr(at, "lineno", 0)
        # what a comment holds has no literal: of its line, what another find covers is told once
        groups.setdefault((proposal.literal, line) if proposal.literal is not None else line, []).append(proposal)
    kept: list[tuple[tuple[int, int], int, Credential]] = []
    for group in groups.values():
        best = min(group, key=lambda item: (TOPICS.index(item.credential.topic), not item.whole))
        rank = TOPICS.index(best.credential.topic)
        chosen: dict[str, Credential] = {}
        for item in group:
            found = item.credential
            beside = not item.whole and not best.whole
            if item is best or (beside and (TOPICS.index(found.topic) == rank or not _overlap(found, best.credential))):
                chosen.setdefault(found.secret, found)
        for credential in chosen.values():
            span = module.span(credential.at) if isinstance(credential.at, ast.AST) else credential.at
            kept.append(((span.line, span.column), len(kept), credential))
    for _place, _number, credential in sorted(kept, key=lambda item: item[:2]):
        yield credential


def _overlap(one: Credential, other: Credential) -> bool:
    """Whether of two credentials in one literal one holds the other."""
    return one.secret in other.secret or other.secret in one.secret


def _confidence(points: float) -> Confidence:
    return Confidence.HIGH if points >= SURE else Confidence.MEDIUM if points >= LIKELY else Confidence.LOW


def _texts(reasons: Iterable[Reason]) -> tuple[str, ...]:
    return tuple(f"{'for' if reason.points > 0 else 'against'}: {reason.text}" for reason in reasons if reason.points)


# --- bound to a name --------------------------------------------------------------------------------------------------


def _of_bound(module: "Module", bound: Bound, examples: frozenset[str]) -> Iterator[_Proposal]:
    text = bound.text
    for token in find(text, f"{bound.target} {bound.around}".lower()) if bound.verdict.points else ():
        if token.kind.near and not bound.partial:
            yield _Proposal(
                bound.literal, whole=True, credential=_provider(module, bound.literal, bound.target, text, token)
            )
    basic = False
    if bound.topic == "authorization":
        basic = text.lower().startswith("basic ")
        text = WITH_SCHEME.sub("", text, count=1)
    judgement = judge(text)
    if basic and not judgement.strong and decoded(text) is None:
        return  # no server takes it: it encodes no user and password
    reasons = [bound.verdict.reason, *judgement.reasons, *_at_place(bound, judgement, examples)]
    points = sum(reason.points for reason in reasons)
    if points < BAR:
        return
    if bound.needs_strong and not judgement.strong:
        return
    if not judgement.strong and _is_example(module, bound.literal):
        return
    kind = _kind(bound.verdict)
    handed_on = (f"for: it is handed on under that name on line {bound.line}",) if bound.line else ()
    credential = Credential(
        topic=bound.topic,
        at=place(module, bound.literal, text),
        kind=kind,
        target=shown(bound.target),
        secret=text,
        confidence=_confidence(points),
        reasons=(*_texts(reasons), *handed_on),
        strong=judgement.strong,
    )
    yield _Proposal(bound.literal, whole=True, credential=credential)


EXAMPLES = frozenset({"example", "examples", "openapi_examples", "json_schema_extra"})
"""Keywords whose values are shown as examples."""
EXAMPLE_DEPTH = 5
"""How many nodes above a literal such a keyword is looked for."""


def _is_example(module: "Module", literal: ast.AST) -> bool:
    return any(
        isinstance(above, ast.keyword) and above.arg in EXAMPLES
        for above in islice(module.ancestors(literal), EXAMPLE_DEPTH)
    )


def _kind(verdict: NameVerdict) -> str:
    return {"key": "secret key", "weak": "credential"}.get(verdict.kind, verdict.kind)


def _plain(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _at_place(bound: Bound, judgement: Judgement, examples: frozenset[str]) -> Iterator[Reason]:
    """What the place says beside name and value."""
    plain, name = _plain(bound.text), _plain(bound.target)
    if plain and (plain == name or (name.endswith(plain) and judgement.shape in ("word", "words"))):
        yield REPEATS_NAME
    if judgement.shape == "sentence" and "phrase" in name and PHRASE.fullmatch(bound.text):
        yield PASSPHRASE
    if bound.verdict.mock and not judgement.strong:
        yield MOCK
    if bound.sequence and not judgement.strong:
        yield SEVERAL
    if bound.topic == "comparison" and bound.verdict.kind != "password" and not judgement.strong:
        yield COMPARED
    if bound.text_tokens and bound.verdict.kind == "token" and not judgement.strong:
        yield TEXT_TOKEN
    if bound.around in DECODERS and judgement.shape in ("digest", "random"):
        yield DECODED
    if bound.verdict.kind == "weak" and not judgement.strong:
        yield NOT_TELLING
    if bound.text in examples:
        yield EXAMPLE_PAIR


def _beside_example_user(module: "Module", bound: Bound) -> bool:
    """Whether a password such as `password1` stands next to a user who is called by the name of the field.

    What is an example at one place of a file is one at all places.
    """
    if not bound.text[-1:].isdigit() or shape_of(bound.text) != "numbered placeholder":
        return False
    above = module.parent(bound.literal)
    beside: list[ast.expr | None] = []
    match above:
        case ast.keyword():
            call = module.parent(above)
            if isinstance(call, ast.Call):
                beside += [item.value for item in call.keywords if _last_word(item.arg) in USER_FIELDS]
        case ast.Call(args=arguments):
            beside += arguments
        case ast.Dict(keys=keys, values=values):
            beside += [
                value for key, value in zip(keys, values, strict=True) if _last_word(target_name(key)) in USER_FIELDS
            ]
            around = module.parent(above)
            if isinstance(around, ast.Dict):
                beside += [key for key, value in zip(around.keys, around.values, strict=True) if value is above]
        case _:
            pass
    return any(
        isinstance(item, ast.Constant)
        and isinstance(item.value, str)
        and item.value.lower().rstrip("0123456789") in USER_FIELDS
        for item in beside
    )


def _last_word(name: str | None) -> str:
    """The last word of a name in lower case, "" for none."""
    return (words(name or "") or ("",))[-1]


PASSPHRASE = Reason(9.0, "it is plain words, as a passphrase has them")
MOCK = Reason(-2.0, "the name promises a made-up value")
SEVERAL = Reason(-1.0, "it is one of several values")
COMPARED = Reason(-1.5, "it is only compared with something")
TEXT_TOKEN = Reason(-2.0, "in this file a token is a piece of text")
DECODED = Reason(1.0, "it is decoded into bytes, as keys are")
NOT_TELLING = Reason(-3.0, "neither the name nor the value is telling by itself")
EXAMPLE_PAIR = Reason(-2.0, "user and password are those of an example")
"""What the place of a value says."""
USER_FIELDS = frozenset({"user", "username", "usr", "uname", "login", "name", "account"})
"""What the field of a user is called; a user of that name is nobody. `admin` and `root` are somebody."""
WITH_SCHEME = regex(r"^\s*(?:bearer|basic|token|apikey|api-key|jwt|oauth|bot|key)\s+", re.IGNORECASE)
PHRASE = regex(r"[a-z]{2,12}(?: [a-z]{2,12}){2,11}")
DECODERS = frozenset({"unhexlify", "a2b_hex", "fromhex", "b64decode", "urlsafe_b64decode", "Fernet"})

# --- inside a literal -------------------------------------------------------------------------------------------------


def _of_content(module: "Module", content: Content) -> Iterator[_Proposal]:
    where = content.span or content.literal or Span(1, 0, 1, 0)
    if content.token is not None:
        found = _provider(module, where, content.target, content.value, content.token)
        yield _Proposal(content.literal, whole=False, credential=found)
        return
    if isinstance(where, ast.AST):
        where = place(module, where, content.value, content.before)
    judgement = judge(content.value)
    points = sum(reason.points for reason in (*content.reasons, *(judgement.reasons if not content.settled else ())))
    if points < BAR or (content.needs_strong and not is_strong(content, judgement)):
        return
    reasons = (*content.reasons, *(judgement.reasons if not content.settled else ()))
    topic = content.topic
    above = module.parent(content.literal) if content.literal is not None else None
    if topic == "authorization" and isinstance(above, ast.Compare | ast.MatchValue):
        topic = "comparison"
    yield _Proposal(
        content.literal,
        whole=False,
        credential=Credential(
            topic=topic,
            at=where,
            kind=content.kind,
            target=content.target,
            secret=content.value,
            confidence=_confidence(points),
            reasons=_texts(reasons),
            strong=judgement.strong or content.settled,
        ),
    )


def _provider(module: "Module", at: ast.AST | Span, target: str, text: str, token: Token) -> Credential:
    value = text[token.start : token.end]
    if isinstance(at, ast.AST):
        at = place(module, at, value)
    kind = token.kind
    reasons = [f"for: it has the shape of {with_article(kind.title)}"]
    confidence = Confidence.HIGH
    if token.verified:
        reasons.append("for: its checksum holds")
    elif token.verified is False:
        reasons.append("against: its checksum does not hold, so it was never issued")
        confidence = Confidence.LOW
    if kind.test:
        reasons.append("against: it opens the provider's sandbox only")
        confidence = Confidence.MEDIUM
    if token.source == "library":
        reasons.append(f"for: the {kind.library} of detect-secrets agrees")
    return Credential(
        "provider",
        at,
        kind.title,
        shown(target),
        value,
        confidence,
        tuple(reasons),
        strong=True,
        revoke=kind.revoke,
        sandbox=kind.test,
    )


# --- places -----------------------------------------------------------------------------------------------------------

ENOUGH = 12
"""Characters of a value by which its line inside a literal of several lines is told."""
HALF = ENOUGH // 2
"""As many where the literal cuts the value there."""
ESCAPED = regex(r"[\\\n\r\t]")


def place(module: "Module", literal: ast.AST, value: str, before: int = 0) -> ast.AST | Span:
    """The literal itself, or the line inside a literal of several lines on which a value begins.

    before: how many times the same value stands before it in the literal.
    """
    first = getattr(literal, "lineno", 1)
    last = getattr(literal, "end_lineno", None) or first
    if first == last:
        return literal
    piece = ESCAPED.split(value, maxsplit=1)[0]
    lines = module.lines
    for wanted in (piece, piece[:ENOUGH], piece[:HALF]):
        if len(wanted) < min(len(piece), SHORT):  # shorter pieces stand anywhere
            continue
        left = before
        fallback: Span | None = None
        for number in range(first, min(last, len(lines)) + 1):
            column = lines[number - 1].find(wanted)
            while column >= 0:
                found = Span(number, column, number, column + len(wanted))
                if not left:
                    return found
                fallback = fallback or found
                left -= 1
                column = lines[number - 1].find(wanted, column + len(wanted))
        if fallback is not None:
            return fallback
    return literal


LONGEST_NAME = 60
"""Longer names say nothing more to a reader."""
PIECES = regex(r"[A-Za-z0-9+/=_-]{12,}")


def shown(target: str) -> str:
    """A name as messages may show it: a name that could itself be a credential is left out."""
    if find(target) or any(is_random(piece) for piece in PIECES.findall(target)):
        return ""
    return "".join(character if character.isprintable() else " " for character in target[:LONGEST_NAME])
