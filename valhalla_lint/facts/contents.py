"""What literals and comments hold by themselves.

Tokens of providers, private keys, addresses with credentials, headers, and pairs of name and value inside
configuration, JSON, query strings, command lines and SQL.
"""

import ast
import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from valhalla_lint.core.regex import regex
from valhalla_lint.core.span import Span
from valhalla_lint.facts.binder import Bound
from valhalla_lint.facts.bindings import callee_binding, fallback_binding, parameter_binding, weak_binding
from valhalla_lint.facts.literals import constant_text, filled, filled_text, summands
from valhalla_lint.facts.providers import MAX_NEAR, Token, find, may_hold
from valhalla_lint.facts.secret_names import NameVerdict, is_header, judge_name
from valhalla_lint.facts.strings import SHORT, Judgement, Reason, is_believed, is_dummy, judge, shape_of
from valhalla_lint.facts.words import last_name

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module


class Content(NamedTuple):
    """A credential inside a text.

    literal: the literal that holds it, None for comments. span: its place, where already known.
    settled: the reasons given are all; the value is not judged again. prose: the text is for people.
    left_out: the text is a comment that is nothing but a statement.
    token: the provider's token that it is.
    before: how often the same value stands before this place in the same text.
    """

    literal: ast.AST | None
    span: Span | None
    topic: str
    kind: str
    target: str
    value: str
    reasons: tuple[Reason, ...] = ()
    needs_strong: bool = False
    settled: bool = False
    prose: bool = False
    left_out: bool = False
    token: Token | None = None
    before: int = 0


def is_strong(content: Content, judgement: Judgement) -> bool:
    """Whether a value is random enough for a place at which only chance is believed."""
    if content.prose and is_believed(content.value, judgement):
        return True
    return judgement.strong and (content.left_out or not content.prose)


MIN_TEXT = 8
"""Shorter texts hold no pair and no address with a credential."""
MAX_PAIRS = 200
"""How many pairs with the same name are looked at in one text."""
MAX_TEXT = 200_000
"""Longer texts are data; only their first characters are read."""
PROSE_CALLS = frozenset(
    """debug info warning warn error exception critical fatal log print echo secho pprint write_line fail skip write
    add_argument add_parser ArgumentParser Exception warn_explicit notice trace success deprecated""".split()
)
"""Calls whose text is for people."""
PROSE_KEYWORDS = frozenset(
    """help description doc epilog message title usage example examples summary msg prompt label placeholder
    verbose_name help_text error_message reason detail tooltip caption hint""".split()
)
"""Keywords whose text is for people."""

PRIVATE_KEY = regex(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
KEY_BODY = regex(r"[A-Za-z0-9+/=]{16,}")
MAX_KEYS, MAX_KEY = 20, 20_000
"""How many private keys are looked for in one text, and how many characters after a marker."""
KEY_LINE, KEY_HEADERS = 64, 200
"""Characters of one line of a key's body, and of the headers that may stand before it."""
WITH_BODY = Reason(9.0, "it is a private key with its body")
WITH_PASSPHRASE = Reason(-3.0, "the key is encrypted with a passphrase")
KEY_BYTES = 48
"""Characters of base64 that a marker must be followed by: fewer hold no key (an Ed25519 key takes 64)."""

URL = regex(
    r"(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]{1,24})://(?P<user>[^\s:/?#@\"'<>|]{0,80}):(?P<password>[^\s/?#@\"'<>|]{1,160}|(?!\d{1,5}/)[A-Za-z0-9+/=_.~!-]{8,160})@(?P<host>[^\s/\"'<>:?#]{0,160})"
)
MAX_USER = 80
IN_USER = regex(r"://[^\s/:?#@\"'<>|]*\Z")
"""The user of an address before its end: an address is judged as a whole."""
PLACEHOLDER_USERS = frozenset(
    "user username usr u login foo me name scott someone test myuser your_username admin".split()
)
PLACEHOLDER_HOSTS = ("example.", "host", "hostname", "server", "hst", "myhost")
URL_PASSWORD = Reason(3.5, "it stands where an address has its password")
TOKEN_MARKS = frozenset({"x-oauth-basic"})
"""Passwords that tell a server of git that the user before them is a token."""
URL_TOKEN = Reason(3.5, "it stands where an address has a token as its user")
QUERY = regex(r"[?&;](?P<name>[A-Za-z][\w.-]{1,40})=(?P<value>[^&\s\"'#<>;]{4,400})")
VAGUE_PARAMETERS = frozenset({"key", "auth", "sig"})
"""Parameters of an address that carry a key or the signature of a shared access, and much else besides."""
VAGUE = Reason(0.5, "it is a parameter that may carry a key")

SCHEME = regex(
    r"(?:^|[\s\"':=])(?P<scheme>Bearer|Basic|Token|ApiKey|OAuth|Bot|GenieKey|bearer|basic)\s+(?P<value>[A-Za-z0-9+/=._~:-]{4,2000})(?=$|[\s\"',;\\])"
)
HEADER_SCHEME = Reason(3.0, "it follows the scheme of an authorization header")
EXAMPLE = Reason(-1.5, "it stands inside a longer text, as in an example")
ENCODED_PAIR = Reason(5.0, "it encodes a user and a password")
HEADER_LINE = regex(
    r"(?P<name>[Aa]uthorization|[Xx]-[A-Za-z-]{3,40}|[Aa]pi-?[Kk]ey|PRIVATE-TOKEN)[\"']?\s{0,2}:\s{0,2}[\"']?(?P<value>[A-Za-z0-9+/=._~-]{8,400})(?=$|[\s\"',;\\])"
)

BEHIND_NAME = regex(
    r"(?P<json>\\?[\"'])?\s{0,3}(?P<sign>=>|:=|[:=])\s{0,3}"
    r"(?:\\?(?P<quote>[\"'`])(?P<quoted>[^\"'`\n\\]{1,200})|(?P<bare>[^\s\"'`,;&|)}\]<>\\]{1,200}))"
)
"""What follows the name in a pair of name and value."""
PROSE_BEHIND = regex(r"[ ]{1,3}(?:is |was )?(?P<bare>[A-Za-z0-9+/=_-]{20,200})(?=$|[\s.,;)'\"])")
"""What follows the name in a text for people, where only chance is believed: digests there are of something else."""
LEFT_OUT = regex(r"#\s{0,20}[\w.-]{1,80}[\"']?\]?\s{0,3}[:=]\s{0,3}[\"'`]?[^\s\"'`]+[\"'`]?[,;]?\s*\Z")
"""A comment that is nothing but a statement which was left out: digests there are values like any other."""
XML_BEHIND = regex(r">(?P<bare>[^<>\s]{4,200})</")
"""What follows the name of an element of XML."""
CODE = regex(r"[(\[{]|\$\d|::")
"""In a bare value: a call, a subscript, a parameter of a statement."""
OPTION = regex(r"--(?P<name>[a-z][\w-]{1,40})[ =](?P<quote>[\"']?)(?P<value>[^\s\"']{4,200})")
CURL_USER = regex(
    r"\bcurl\b[^\n|]{0,200}?\s(?:-u|--user)[ =][\"']?(?P<user>[^\s:\"']{1,80}):(?P<value>[^\s\"']{4,200})"
)
SHORT_OPTION = regex(
    r"\b(?:(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)\b[^\n|;]{0,200}?\s-p|sshpass\s+-p\s*)"
    r"[\"']?(?P<value>[^\s\"'-][^\s\"']{3,200})"
)
"""Passwords that follow a short option, glued to it or not."""
SQL = regex(
    r"\b(?:IDENTIFIED\s+BY(?:\s+PASSWORD)?|(?:ENCRYPTED\s+)?PASSWORD\s*(?:=\s*)?|SET\s+PASSWORD(?:\s+FOR\s+\S{1,80})?\s*=)\s*\(?'(?P<value>[^'\n]{4,200})'",
    re.IGNORECASE,
)
SQL_PASSWORD = Reason(4.0, "it is the password of a statement in SQL")
COMMAND_PASSWORD = Reason(4.0, "it is a password on a command line")
MAX_LINES = 400
"""Lines of a private key that stand in literals of their own: one of 16,384 bits takes 200."""
BASE64_STEP = 4
"""Encoded texts are filled up to a multiple of this."""
REPEATS_NAME = Reason(-6.0, "the value repeats the name")
IN_TEXT = Reason(-0.5, "it stands inside a longer text")


CONTENT_WORDS = (
    "earer ",
    "asic ",
    "uthorization",
    "curl ",
    " -p",
    "PRIVATE KEY",
    "PuTTY",
    "dentified by",
    "DENTIFIED BY",
    "Token ",
)
"""Texts of headers, keys, commands and statements that hold a credential without a telling name."""
WEAK_LENGTH = 20
"""As long as a value is for which a weak name is looked up; `strong` values have no fewer characters."""


def contents(module: "Module", telling: Mapping[str, NameVerdict]) -> Iterator[Content | Bound]:
    """What the literals and the comments of a file hold; `telling` are the telling names that occur in it.

    Literals that could be strongly random come with their binding, if their name is a weak one. All texts together
    are asked first what none of them can hold, so that most files cost one look a literal.
    """
    literals = module.index.found("texts", ast.Constant, _texts)
    for node, text in literals:
        if len(text) <= MAX_NEAR and " " not in text and _could_be_random(text):
            if isinstance(above := module.parent(node), ast.Call):
                yield from parameter_binding(module, above, node, text)
                yield from fallback_binding(above, node, text)
                yield from callee_binding(above, node, text)
            if len(text) >= WEAK_LENGTH:
                yield from weak_binding(module, node, text)
    comments = [text for text in module.hashes if len(text) >= MIN_COMMENT]
    gate = _Gate.of("\n\n".join([*[text for _, text in literals], *comments]), telling)
    if gate.shut:
        return
    for node, text in literals:
        if gate.lets(text):
            above = module.parent(node)
            literal: ast.AST = above if isinstance(above, ast.JoinedStr) else node
            prose = _is_prose(module, node, above)
            partial = literal is not node
            whole = "\n".join((text, *_behind(module, node))) if "PRIVATE KEY" in text else text
            yield from _in_text(whole[:MAX_TEXT], literal, None, telling, prose=prose, partial=partial)
    templates: list[ast.Call | ast.BinOp] = [*module.calls.get("format", ())]
    templates += [node for node in module.nodes(ast.BinOp) if node.left.__class__ is ast.Constant]
    for template in templates:
        yield from _of_template(module, template, gate, telling)
    if any(gate.lets(text) and _holds(text, telling) for text in comments):
        for comment in module.comments:
            text = comment.text
            if gate.lets(text) and _holds(text, telling):
                span = Span(comment.line, comment.column, comment.line, comment.column + len(text))
                yield from _in_text(text, None, span, telling, prose=True)


def _behind(module: "Module", node: ast.Constant) -> Iterator[str]:
    """The texts that follow a literal in the list of lines, or in the sum, that it is a part of."""
    parts: list[ast.expr] = []
    match module.parent(node):
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            pass
        case ast.BinOp(op=ast.Add()) as whole:
            while isinstance(above := module.parent(whole), ast.BinOp) and isinstance(above.op, ast.Add):
                whole = above
            parts = summands(whole)
        case _:
            pass
    begin = next((at + 1 for at, part in enumerate(parts) if part is node), len(parts))
    for part in parts[begin : begin + MAX_LINES]:
        text = constant_text(part)
        if text is None:
            return
        yield text


def _of_template(
    module: "Module", node: ast.Call | ast.BinOp, gate: "_Gate", telling: Mapping[str, NameVerdict]
) -> Iterator[Content]:
    """What the literals are that a template is filled with: `"password=%s" % "…"`."""
    parts = filled(node)
    text = filled_text(parts)
    if text is None or len(text) > MAX_TEXT or not gate.lets(text):
        return
    values = [(part, constant_text(part) or "") for part in parts if not isinstance(part, str)]
    for content in _in_text(text, node, None, telling, prose=_is_prose(module, node, module.parent(node))):
        value = next((part for part, value in values if value and value in content.value), None)
        if value is not None and content.token is None:
            yield content._replace(literal=value)


TEXTS = (str, bytes)


def _texts(nodes: Sequence[ast.Constant]) -> Iterator[tuple[ast.Constant, str]]:
    for node in nodes:
        if isinstance(value := node.value, TEXTS) and len(value) >= MIN_TEXT:
            yield node, value if isinstance(value, str) else value.decode("latin-1")


MIN_COMMENT = 10
"""As long as a comment is, with its sign, that is worth taking the file apart for its comments."""
HAS_DIGIT = regex("[0-9]")


def _could_be_random(text: str) -> bool:
    return HAS_DIGIT.search(text) is not None and not ("_" in text and text.isidentifier())


class _Gate(NamedTuple):
    """What texts must have to be worth all patterns, as far as it occurs in any of them."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    addresses: bool
    tokens: bool

    @classmethod
    def of(cls, together: str, telling: Mapping[str, NameVerdict]) -> "_Gate":
        """The gate for texts, of all of them together."""
        return cls(
            names=tuple(name for name in telling if name in together),
            words=tuple(word for word in CONTENT_WORDS if word in together),
            addresses="://" in together and ("@" in together or "?" in together),
            tokens=may_hold(together),
        )

    @property
    def shut(self) -> bool:
        """Whether nothing gets through."""
        return not (self.names or self.words or self.addresses or self.tokens)

    def lets(self, text: str) -> bool:
        """Whether a text is worth all patterns."""
        if self.addresses and "://" in text and ("@" in text or "?" in text):
            return True
        if self.names and (":" in text or "=" in text or " " in text or ">" in text):
            for name in self.names:
                if name in text:
                    return True
        for word in self.words:
            if word in text:
                return True
        return self.tokens and bool(find(text))


def _is_prose(module: "Module", node: ast.AST, above: ast.AST | None) -> bool:
    """Whether a text is for people: a docstring, a message, a help text."""
    below = node
    while above is not None:
        match above:
            case ast.Expr() | ast.Raise() | ast.Assert():
                return True
            case ast.keyword(arg=name):
                if name in PROSE_KEYWORDS:
                    return True
                return _prose_call(module.parent(above))
            case ast.Call():
                return below is not above.func and _prose_call(above)
            case ast.stmt():
                return False
            case _:
                pass
        below = above
        above = module.parent(above)
    return False


def _prose_call(call: ast.AST | None) -> bool:
    if not isinstance(call, ast.Call):
        return False
    name = last_name(call.func)
    return name in PROSE_CALLS or name.endswith(("Error", "Exception", "Warning"))


def _in_text(
    text: str,
    literal: ast.AST | None,
    span: Span | None,
    telling: Mapping[str, NameVerdict],
    *,
    prose: bool,
    partial: bool = False,
) -> Iterator[Content]:
    for token in find(text):
        yield Content(literal, span, "provider", token.kind.title, "", text, token=token)
    if "PRIVATE KEY" in text or "PuTTY" in text:
        yield from _private_keys(text, literal, span)
    if "://" in text or "?" in text or "&" in text:
        yield from _addresses(text, literal, span, prose=prose, partial=partial)
    if any(word in text for word in SCHEME_WORDS):
        yield from _headers(text, literal, span, prose=prose or partial)
    for name, verdict in telling.items():
        if name in text:
            yield from _pairs(text, name, verdict, literal, span, prose=prose, partial=partial)
    yield from _commands(text, literal, span, prose=prose or partial)


SCHEME_WORDS = (
    "earer",
    "asic",
    "Token",
    "ApiKey",
    "OAuth",
    "Bot ",
    "GenieKey",
    "uthorization",
    "X-",
    "x-",
    "PRIVATE-TOKEN",
    "pi-Key",
    "pi-key",
)


def _private_keys(text: str, literal: ast.AST | None, span: Span | None) -> Iterator[Content]:
    for marker in islice(PRIVATE_KEY.finditer(text), MAX_KEYS):
        end = text.find("-----END", marker.end(), marker.end() + MAX_KEY)
        body = text[marker.end() : end if end >= 0 else marker.end() + MAX_KEY]
        parts = KEY_BODY.findall(body)
        if sum(len(part) for part in parts) < KEY_BYTES or is_dummy(max(parts, key=len)[:KEY_LINE]):
            continue
        reasons = [WITH_BODY]
        if "ENCRYPTED" in marker[0] or "ENCRYPTED" in body[:KEY_HEADERS]:
            reasons.append(WITH_PASSPHRASE)
        yield Content(
            literal, span, "private key", _key_kind(marker[0]), "", marker[0] + body, tuple(reasons), settled=True
        )


def _key_kind(marker: str) -> str:
    for word, kind in (
        ("OPENSSH", "OpenSSH private key"),
        ("PGP", "PGP private key"),
        ("PuTTY", "PuTTY private key"),
        ("RSA", "RSA private key"),
        ("EC ", "EC private key"),
        ("DSA", "DSA private key"),
    ):
        if word in marker:
            return kind
    return "private key"


def _addresses(
    text: str, literal: ast.AST | None, span: Span | None, *, prose: bool, partial: bool
) -> Iterator[Content]:
    for match in islice(URL.finditer(text), MAX_PAIRS):
        user, password, host = match["user"], unquote(match["password"]), match["host"].lower()
        reasons = [URL_PASSWORD]
        part, kind = "password", "password"
        if password in TOKEN_MARKS:
            user, password, part, kind = "", unquote(user), "user", "token"
            reasons = [URL_TOKEN]
        placeholder_user = user.lower().strip("<>{}[]$%") in PLACEHOLDER_USERS
        if placeholder_user and shape_of(password) in ("word", "placeholder", "vocabulary", "words", "numbered word"):
            reasons.append(Reason(-4.0, "user and password are those of an example"))
        elif user and user == password:
            reasons.append(Reason(0.5, "the password repeats the user"))
        if host.startswith(PLACEHOLDER_HOSTS) or ".example" in host or "example." in host:
            reasons.append(Reason(-2.0, "the host is that of an example"))
        yield Content(
            literal,
            span,
            "url",
            f"{match['scheme'].lower()} {kind}",
            match["scheme"].lower(),
            password,
            tuple(reasons),
            needs_strong=prose or "/" in match["password"],  # some programs take it there, unlike the standard
            before=text.count(password, 0, match.start(part)),
        )
    for match in islice(QUERY.finditer(text), MAX_PAIRS):
        verdict = judge_name(match["name"])
        vague = match["name"].lower() in VAGUE_PARAMETERS
        if vague or (verdict is not None and verdict.kind != "weak"):
            reasons = [VAGUE if vague or verdict is None else verdict.reason, IN_TEXT]
            yield Content(
                literal,
                span,
                "url",
                f"query parameter `{match['name']}`",
                match["name"],
                match["value"],
                tuple(reasons),
                needs_strong=prose or partial or vague,
                prose=prose,
                before=text.count(match["value"], 0, match.start("value")),
            )


def _headers(text: str, literal: ast.AST | None, span: Span | None, *, prose: bool) -> Iterator[Content]:
    for match in SCHEME.finditer(text):
        value = match["value"]
        if value.endswith("=") and value[:-1].isidentifier() and text[match.end() : match.end() + 1] == '"':
            continue  # a challenge's parameter, such as `realm="…"`
        reasons: tuple[Reason, ...] = (HEADER_SCHEME,)
        if match.start() > 1 or match.end() < len(text) - 1:
            reasons = (HEADER_SCHEME, EXAMPLE)
        settled = False
        if match["scheme"].lower() == "basic":
            pair = decoded(value)
            if pair is None and not judge(value).strong:
                continue
            if pair is not None:
                reasons, settled = (ENCODED_PAIR,), True
        yield Content(
            literal,
            span,
            "authorization",
            f"{match['scheme']} credential",
            "Authorization",
            value,
            reasons,
            needs_strong=prose and not settled,
            settled=settled and not prose,
        )
    for match in HEADER_LINE.finditer(text):
        if is_header(match["name"]) and match["value"].lower() not in ("bearer", "basic", "token", "digest"):
            yield Content(
                literal,
                span,
                "authorization",
                "header",
                match["name"],
                match["value"],
                (Reason(3.0, "it is the value of a header that carries credentials"),),
                needs_strong=prose,
            )


def decoded(value: str) -> str | None:
    """The `user:password` that a value encodes, or None."""
    if len(value) < MIN_TEXT or len(value) % BASE64_STEP:
        return None
    try:
        pair = base64.b64decode(value, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    user, colon, password = pair.partition(":")
    return pair if colon and user.isprintable() and len(password) > 3 and password.isprintable() else None  # noqa: PLR2004 -- shorter ones open nothing


def _pairs(
    text: str,
    name: str,
    verdict: NameVerdict,
    literal: ast.AST | None,
    span: Span | None,
    *,
    prose: bool,
    partial: bool,
) -> Iterator[Content]:
    position = text.find(name)
    left = MAX_PAIRS
    while position >= 0 and left:
        left -= 1
        end = position + len(name)
        match = (
            (BEHIND_NAME.match(text, end) or XML_BEHIND.match(text, end))
            if not (position and (text[position - 1].isalnum() or text[position - 1] == "_"))
            and not IN_USER.search(text, max(0, position - MAX_USER), position)
            else None
        )
        position = text.find(name, end)
        if match is None and prose:
            match = PROSE_BEHIND.match(text, end)
            if match is not None and shape_of(match["bare"]) != "random":
                continue
        if match is None:
            continue
        value = match["bare"] or match["quoted"]
        if len(value) < SHORT or (match["bare"] and CODE.search(value)) or value == name or value.startswith("//"):
            continue
        reasons = [verdict.reason, IN_TEXT]
        if value.lower() == name.lower():
            reasons.append(REPEATS_NAME)
        of_code = literal is None and match.end() >= len(text.rstrip("\"'`,; ")) and LEFT_OUT.match(text) is not None
        yield Content(
            literal,
            span,
            "authorization" if is_header(name) else "token",
            _kind(verdict.kind),
            name,
            value,
            tuple(reasons),
            needs_strong=prose or partial,
            prose=prose,
            left_out=of_code,
            before=text.count(value, 0, match.end() - len(value)),
        )


def _commands(text: str, literal: ast.AST | None, span: Span | None, *, prose: bool) -> Iterator[Content]:
    """Options of command lines and passwords in statements of SQL."""
    if "--" in text:
        for match in islice(OPTION.finditer(text), MAX_PAIRS):
            verdict = judge_name(match["name"])
            if verdict is not None and verdict.kind != "weak" and not match["value"].startswith("-"):
                yield Content(
                    literal,
                    span,
                    "token",
                    _kind(verdict.kind),
                    match["name"],
                    match["value"],
                    (verdict.reason,),
                    needs_strong=prose,
                )
    patterns = []
    if "curl" in text:
        patterns.append((CURL_USER, COMMAND_PASSWORD))
    if " -p" in text:
        patterns.append((SHORT_OPTION, COMMAND_PASSWORD))
    if "'" in text and ("password" in text.lower() or "identified" in text.lower()):
        patterns.append((SQL, SQL_PASSWORD))
    for pattern, reason in patterns:
        for match in islice(pattern.finditer(text), MAX_PAIRS):
            yield Content(literal, span, "token", "password", "password", match["value"], (reason,), needs_strong=prose)


def _kind(kind: str) -> str:
    return {"key": "secret key", "weak": "credential"}.get(kind, kind)


# --- comments and what could not be parsed ----------------------------------------------------------------------------


def _holds(text: str, telling: Mapping[str, NameVerdict]) -> bool:
    """Whether a comment holds anything that would be reported if it is a comment at all."""
    found = _in_text(text, None, None, telling, prose=True)
    return any(item.token is not None or item.settled or is_strong(item, judge(item.value)) for item in found)


QUOTED_PAIR = regex(
    r"(?P<name>[A-Za-z_][\w.-]{0,60})[\"']?\]?\s{0,8}(?:==|!=|[:=])\s{0,8}[uUbBrRfF]{0,2}(?P<quote>[\"'])(?P<value>[^\"'\n]{4,200})(?P=quote)"
)


def unread_contents(module: "Module", telling: Mapping[str, NameVerdict]) -> Iterator[Content]:
    """Credentials on lines of a file that is not Python as a whole and of which no statement could be read."""
    covered: set[int] = set()
    for statement in module.tree.body:
        covered.update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    for number, line in enumerate(module.lines, 1):
        if number in covered or len(line) < MIN_TEXT or len(line) > MAX_TEXT:
            continue
        span = Span(number, 0, number, len(line))
        comment = line.lstrip().startswith("#")
        if not comment:
            for match in QUOTED_PAIR.finditer(line):
                verdict = judge_name(match["name"].rpartition(".")[2])
                if verdict is not None:
                    place = Span(number, match.start("value"), number, match.end("value"))
                    yield Content(
                        None,
                        place,
                        "token",
                        _kind(verdict.kind),
                        match["name"],
                        match["value"],
                        (verdict.reason,),
                        needs_strong=verdict.kind == "weak",
                    )
        for content in _in_text(line, None, span, telling, prose=True):
            if content.topic != "token" or comment:
                yield content
