"""Whether a substitution that is meant to hide credentials hides them: tried on tokens that are made up for it.

A pattern is judged in the places that it aims at: one that masks a bare token must mask every kind of token, one that
masks `token=…` must mask the whole value, one for `sk-…` must mask all of that provider's keys that begin so. Patterns
come from analysed code; they run only where their shape rules out more than polynomial work, and on short texts only.
"""

import ast
import base64
import random
import re
import string
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.automata import BROKEN
from valhalla_lint.facts.backtracking import compiled
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.minting import mint_secret
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.providers import kinds, mint_token
from valhalla_lint.facts.regexes import literals
from valhalla_lint.facts.words import last_name, with_article

SEED = "redaction"
SHOWN_RUN = 5
"""So many consecutive characters of a token's random part, left standing, mean that it shows."""
CACHED = 256
URL_SAFE = string.ascii_letters + string.digits + "-_"
PREFIXED = ("huggingface", "openai", "anthropic", "github", "slack", "stripe")
"""Providers whose keys stand for all prefixed keys."""
OPAQUE_LENGTH, URL_SAFE_LENGTH = 40, 43
JWT_PARTS = (27, 32, 43)
BASE64_BYTES = 31
NARROW_LENGTHS = (18, 29, 40)
FIRST_UNUSUAL = (4, 8)
UNUSUAL_EVERY = 9
"""Where the two unusual characters of an alphabet first stand in a text, and how far apart they are then."""


class Sample(NamedTuple):
    """A made-up credential. name: its kind, as messages say it. body: its random part. head: its public beginning."""

    name: str
    token: str
    body: str
    head: str = ""

    @property
    def example(self) -> str:
        """The token, cut to what may be shown."""
        return f"{self.head}{self.body[: SHOWN_RUN - 2]}…"


def random_text(length: int, alphabet: str, seed: str) -> str:
    """Random characters that hold at least one of each end of the alphabet."""
    chance = random.Random(f"{SEED}:{seed}")  # noqa: S311 -- test material, not key material
    text = [chance.choice(alphabet[:-2]) for _ in range(length)]
    for first, char in zip(FIRST_UNUSUAL, alphabet[-2:], strict=True):  # spread out, but never at an end
        for place in range(first, length - 2, UNUSUAL_EVERY):
            text[place] = char
    return "".join(text)


@cache
def opaque() -> Sample:
    """A bearer token of letters and digits."""
    text = mint_secret(OPAQUE_LENGTH, SEED)
    return Sample("an opaque bearer token", text, text)


@cache
def url_safe() -> Sample:
    """A token as `secrets.token_urlsafe` makes them."""
    text = random_text(URL_SAFE_LENGTH, URL_SAFE, "url-safe")
    return Sample("an opaque token with - and _", text, text)


@cache
def jwt() -> Sample:
    """A JWT, unpadded as the standard has it. Its parts are random, so that it is nobody's."""
    head, *rest = [random_text(length, URL_SAFE, f"jwt{length}") for length in JWT_PARTS]
    body = ".".join(rest)
    return Sample("a JWT (dots, no padding)", f"eyJ{head[3:]}.{body}", body, "eyJ")


@cache
def easy_jwts() -> tuple[Sample, ...]:
    """JWTs that no issuer makes: of letters and digits alone, plain, or padded behind the last or behind every part."""
    head, *rest = [mint_secret(length, f"{SEED}{length}") for length in JWT_PARTS]
    parts = (f"eyJ{head[3:]}", *rest)
    texts = (".".join(parts), ".".join(parts) + "=", "=.".join(parts) + "=")
    return tuple(Sample("a JWT of letters and digits", text, text.removeprefix("eyJ"), "eyJ") for text in texts)


@cache
def narrow() -> tuple[Sample, ...]:
    """Hexadecimal texts of several lengths: what a named field holds at least, for a pattern that expects little."""
    return tuple(
        Sample("a hexadecimal token", text, text)
        for length in NARROW_LENGTHS
        for text in (random_text(length, "0123456789abcdef", f"narrow{length}"),)
    )


@cache
def encoded() -> Sample:
    """User and password as HTTP's basic scheme has them: base64, padded."""
    chance = random.Random(SEED)  # noqa: S311 -- as above
    raw = chance.randbytes(BASE64_BYTES) + b"\xfb\xff\xfe"
    text = base64.b64encode(raw).decode()
    return Sample("a base64 credential (+, /, padding)", text, text.rstrip("="))


@cache
def prefixed() -> tuple[Sample, ...]:
    """One key of each provider that stands for the prefixed kinds, in its first shape."""
    return tuple(provider_sample(name, 0) for name in PREFIXED if name in kinds())


def provider_sample(name: str, shape: int) -> Sample:
    """A key of a provider in one of its shapes."""
    kind = kinds()[name]
    token = mint_token(name, SEED, shape)
    head = kind.shapes[shape].head
    return Sample(with_article(kind.title), token, token[len(head) :], head)


@cache
def general() -> tuple[Sample, ...]:
    """The kinds that a pattern for tokens at large must mask."""
    return (opaque(), url_safe(), jwt(), *prefixed())


PLACES: Final = (
    "{}",
    "Bearer {}",
    "Authorization: {}",
    "Authorization: Bearer {}",
    "token={}",
    "token: {}",
    '"token": "{}"',
    "X-API-Key: {}",
    "api_key={}",
    '"api_key": "{}"',
    "password={}",
    '"password": "{}"',
    "secret={}",
    "access_token={}&page=2",
    "https://host.example/v1?key={}&page=2",
    "https://user:{}@host.example/",
)
"""Where credentials stand in texts. The first is the bare token."""
ALONE: Final = PLACES[0]
AROUND: Final = "failed: {} (again)"
HEADER_PLACES: Final = {"Authorization: {}": "Authorization: Bearer {}"}
"""A pattern that masks the first of these is meant for the second as well."""


class Substitution(NamedTuple):
    """One `re.sub`: the text of its pattern, flags, and what is put in place (None: a function's answer)."""

    pattern: str
    flags: int = 0
    replacement: str | None = "***"


class Leak(NamedTuple):
    """A kind of token that comes through: in which surroundings."""

    sample: Sample
    place: str

    @property
    def example(self) -> str:
        """The text that comes through, cut to what may be shown."""
        return self.place.format(self.sample.example)


def runnable(found: Substitution) -> Any | None:  # noqa: ANN401 -- a pattern of str
    """The compiled pattern where it may be run."""
    return compiled(found.pattern, found.flags, limit=1)  # the texts are longer than a witness, and many


def applied(found: Substitution, text: str) -> str | None:
    """The text after a substitution; None where it cannot be known."""
    pattern = runnable(found)
    if pattern is None:
        return None
    try:
        return str(pattern.sub((lambda _: "***") if found.replacement is None else found.replacement, text))
    except BROKEN:
        return None


def shows(text: str, sample: Sample) -> bool:
    """Whether a run of a token's random part stands in a text."""
    body = sample.body
    return any(body[start : start + SHOWN_RUN] in text for start in range(len(body) - SHOWN_RUN + 1))


def masks(chain: Sequence[Substitution], place: str, sample: Sample) -> bool:
    """Whether nothing of a token in its surroundings is left after some substitutions."""
    text: str | None = AROUND.format(place.format(sample.token))
    for found in chain:
        text = applied(found, text or "")
        if text is None:
            return True  # nobody knows: no complaint
    return not shows(text or "", sample)


@lru_cache(maxsize=CACHED)
def aims(found: Substitution) -> tuple[tuple[str, tuple[Sample, ...]], ...]:
    """The places that a substitution is meant for, each with the kinds that it must mask there."""
    if runnable(found) is None:
        return ()
    words = [run for run in literals(found.pattern, found.flags) if any(char.isalpha() for char in run)]
    targets: list[tuple[str, tuple[Sample, ...]]] = []
    plain = (opaque(), url_safe(), jwt())
    if any(masks([found], ALONE, sample) for sample in plain):
        anchored = bool(words)
        return ((ALONE, (jwt(),) if anchored else general()),)
    if any(masks([found], ALONE, sample) for sample in easy_jwts()):
        return ((ALONE, (jwt(),)),)
    for name, kind in kinds().items():
        shapes = [provider_sample(name, number) for number in range(len(kind.shapes))]
        heads = [sample.head for sample in shapes if sample.head and masks([found], ALONE, sample)]
        begins = tuple({*(head for head in heads if head in found.pattern), *(words[:1] if heads else ())})
        if begins:
            targets.append((ALONE, tuple(sample for sample in shapes if sample.head.startswith(begins))))
    if targets:
        return tuple(targets)
    for place in PLACES[1:]:
        if "@" in place and ":" not in found.pattern:
            continue  # a pattern for e-mail addresses
        if any(masks([found], place, sample) for sample in plain) or all(
            masks([found], place, sample) for sample in narrow()
        ):
            targets.append((place, plain))
            if place in HEADER_PLACES:
                targets.append((HEADER_PLACES[place], plain))
    return tuple(targets)


def leak(found: Substitution, chain: Sequence[Substitution]) -> Leak | None:
    """A kind of token that a substitution should mask, and that the whole chain (itself included) lets through."""
    for place, samples in aims(found):
        for sample in samples:
            if not masks(chain, place, sample):
                return Leak(sample, place)
    return None


@lru_cache(maxsize=CACHED)
def redacts_everything(pattern: str, flags: int = 0, replacement: str | None = "***") -> bool:
    """Whether every kind of token comes out masked, bare and as a header's value, from `re.sub`. Never raises.

    replacement: None for a function's answer, which is taken to show nothing of what was found.
    """
    found = Substitution(pattern, flags, replacement)
    if runnable(found) is None:
        return False
    samples = (*general(), encoded())
    return all(masks([found], place, sample) for place in PLACES[:2] for sample in samples)


@lru_cache(maxsize=CACHED)
def hides(pattern: str, flags: int = 0, replacement: str | None = "***") -> bool:
    """Whether a secret that went through `re.sub` may be taken for hidden. Never raises.

    It is where every kind of token comes out masked, or where the pattern is meant for a named field (`token=…`) and
    masks all of its value. A pattern that cannot be tried gets the benefit of the doubt.
    """
    found = Substitution(pattern, flags, replacement)
    if runnable(found) is None or redacts_everything(pattern, flags, replacement):
        return True
    meant_for = aims(found)
    return bool(meant_for) and all(place != ALONE for place, _ in meant_for) and leak(found, [found]) is None


# --- in the code


MASK = regex(r"\*{3}|x{4}|X{4}|#{4}|•|█|redact|mask|hidden|filtered|censor|scrub|removed|sensitive", re.IGNORECASE)
"""Replacement texts that say that something is being hidden."""
INTENT = regex(
    r"redact|mask|scrub|censor|obfuscat|hide_|_hide|sanitize_log|clean_log|strip_secret|filter_secret", re.IGNORECASE
)
"""Names of functions, classes and patterns that say so."""
LOG_METHODS: Final = {"Filter": "filter", "Formatter": "format"}
MAX_PATTERNS = 64
"""So many patterns of one list are looked at."""


class Use(NamedTuple):
    """A substitution in the code: where its pattern is written, and the definition that it is used in."""

    found: Substitution
    at: ast.AST
    definition: str


def uses(module: Module) -> Iterator[Use]:
    """The substitutions of a file that are meant to hide something."""
    for call in module.nodes(ast.Call):
        function = call.func
        if not isinstance(function, ast.Attribute) or function.attr not in ("sub", "subn"):
            continue
        if module.name(function) in ("re.sub", "re.subn"):
            pattern, rest = argument(call, 0, "pattern"), 1
            flags = flags_of(module, argument(call, 4, "flags"))
            origin = pattern
        else:
            pattern, rest, flags, origin = function.value, 0, 0, None
        if pattern is None or flags is None:
            continue
        replacement = argument(call, rest, "repl")
        if replacement is None:
            continue
        put = module.constant(replacement)
        text = put if isinstance(put, str) else None
        if put is not MISSING and text is None:
            continue
        for written, at, own_flags in written_patterns(module, pattern, direct=origin is not None):
            if meant(module, call, text, pattern):
                yield Use(Substitution(written, flags | own_flags, text), at, module.definition(call))


def argument(call: ast.Call, position: int, keyword: str) -> ast.expr | None:
    """An argument by its position or keyword."""
    if position < len(call.args) and not any(isinstance(item, ast.Starred) for item in call.args[: position + 1]):
        return call.args[position]
    return next((item.value for item in call.keywords if item.arg == keyword), None)


FLAGS: Final = {
    name: int(getattr(re, name))
    for name in ("A", "ASCII", "I", "IGNORECASE", "M", "MULTILINE", "S", "DOTALL", "X", "VERBOSE", "U", "UNICODE")
}


def flags_of(module: Module, node: ast.expr | None) -> int | None:
    """The flags that an expression means; None where that cannot be told."""
    match node:
        case None:
            return 0
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            first, second = flags_of(module, left), flags_of(module, right)
            return None if first is None or second is None else first | second
        case ast.Constant(value=int(value)):
            return value
        case _:
            return FLAGS.get((module.name(node) or "").removeprefix("re.").removeprefix("RegexFlag."))


def written_patterns(module: Module, node: ast.expr, *, direct: bool) -> Iterator[tuple[str, ast.AST, int]]:
    """The texts of the patterns that an expression can be, where each is written, and their flags.

    direct: the expression is a pattern's text itself, not a compiled pattern.
    """
    value = bound(module, node)
    if direct:
        text = module.constant(node)
        if isinstance(text, str):
            yield text, value if isinstance(value, ast.Constant | ast.JoinedStr | ast.BinOp) else node, 0
            return
    if isinstance(value, ast.Call) and module.name(value.func) == "re.compile":
        yield from compile_call(module, value)
        return
    for element in elements(module, node):
        for item in element.elts if isinstance(element, ast.Tuple | ast.List) else (element,):
            inner = bound(module, item)
            if isinstance(inner, ast.Call) and module.name(inner.func) == "re.compile":
                yield from compile_call(module, inner)
                break
            text = module.constant(item)
            if direct and isinstance(text, str):
                yield text, item, 0
                break


def compile_call(module: Module, call: ast.Call) -> Iterator[tuple[str, ast.AST, int]]:
    """The pattern of `re.compile(…)`."""
    pattern = argument(call, 0, "pattern")
    text = module.constant(pattern)
    flags = flags_of(module, argument(call, 1, "flags"))
    if pattern is not None and isinstance(text, str) and flags is not None:
        yield text, pattern, flags


def bound(module: Module, node: ast.expr) -> ast.expr:
    """What a name, or an attribute of self, is bound to by one plain assignment; else the expression itself."""
    match node:
        case ast.Name():
            value = module.scopes.value_of(node)
            return node if value is None else value
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            owner = module.scopes.owner(node)
            value = None if owner is None else module.scopes.sole_value(owner, name)
            return node if value is None else value
        case ast.Subscript(value=ast.Name() | ast.Attribute() as holder, slice=ast.Constant(value=key)):
            match bound(module, holder):
                case ast.Dict(keys=keys, values=values):
                    found = [value for given, value in zip(keys, values, strict=True) if _is_key(given, key)]
                case ast.List(elts=items) | ast.Tuple(elts=items) if isinstance(key, int) and key < len(items):
                    found = [items[key]]
                case _:
                    found = []
            return found[-1] if found else node
        case _:
            return node


def _is_key(node: ast.expr | None, key: object) -> bool:
    return isinstance(node, ast.Constant) and node.value == key


def elements(module: Module, node: ast.expr) -> Iterator[ast.expr]:
    """The elements that a loop's name runs over, if they stand in a list."""
    if not isinstance(node, ast.Name):
        return
    for above in module.ancestors(node):
        if isinstance(above, ast.For | ast.AsyncFor) and any(
            isinstance(item, ast.Name) and item.id == node.id for item in ast.walk(above.target)
        ):
            yield from _run_over(module, above, node.id)
            return


def _run_over(module: Module, loop: ast.For | ast.AsyncFor, name: str) -> Iterator[ast.expr]:
    """The elements of a list, or the keys or values of a dictionary, that one name of a loop stands for."""
    match loop.iter:
        case ast.Call(func=ast.Attribute(value=holder, attr="values" | "items" | "keys" as part), args=[]):
            pass
        case holder:
            part = "keys"
    match bound(module, holder):
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            yield from items[:MAX_PATTERNS]
        case ast.Dict(keys=keys, values=values):
            second = isinstance(loop.target, ast.Tuple) and last_name(loop.target.elts[-1]) == name
            chosen = values if part == "values" or second else keys
            yield from [item for item in chosen[:MAX_PATTERNS] if item is not None]
        case _:
            pass


def meant(module: Module, call: ast.Call, replacement: str | None, pattern: ast.expr) -> bool:
    """Whether a substitution is meant to hide something: by what it puts, or by a name around it."""
    if replacement is not None and MASK.search(replacement):
        return True
    names = [module.definition(call), ast.unparse(pattern) if isinstance(pattern, ast.Name | ast.Attribute) else ""]
    if any(INTENT.search(name) for name in names):
        return True
    function = module.function(call)
    owner = module.scopes.class_of(function) if function is not None else None
    if function is None or owner is None:
        return False
    bases = {(module.name(base) or "").removeprefix("logging.") for base in owner.bases}
    return any(LOG_METHODS.get(base) == function.name for base in bases)


class Finding(NamedTuple):
    """A pattern that lets a kind of token through."""

    at: ast.AST
    leak: Leak


def leaking(module: Module) -> Iterator[Finding]:
    """The patterns of a file that lets a kind of token through that they aim at.

    Substitutions of one definition work together: what one lets through another may mask.
    """
    groups: dict[str, list[Use]] = {}
    for use in uses(module):
        groups.setdefault(use.definition, []).append(use)
    seen: set[ast.AST] = set()
    for group in groups.values():
        chain = [use.found for use in group]
        for use in group:
            if use.at in seen:
                continue
            seen.add(use.at)
            found = leak(use.found, chain)
            if found is not None:
                yield Finding(use.at, found)
