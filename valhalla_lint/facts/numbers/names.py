"""What a number without a name should be called: words from where it stands, never its digits."""

import ast
from keyword import iskeyword

from valhalla_lint.facts import siblings
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import values
from valhalla_lint.facts.numbers.kinds import Kind
from valhalla_lint.facts.numbers.places import Place, Role, from_end, operator_of
from valhalla_lint.facts.numbers.telling import (
    BARE,
    MEASURES,
    QUANTITIES,
    RELAYING,
    SHORT,
    ending,
    telling,
    tells,
    without_doing,
)
from valhalla_lint.facts.words import last_name, subject, words

MAX_WORDS = 5
"""A longer name says no more."""
MAX_LENGTH = 40
MAX_CLIMB = 20
"""How far up from a number a name for it is looked for."""
REPEATED = frozenset({"PER"})
"""Words that a name may say twice."""


def ready_constant(kind: Kind, value: object) -> str:
    """The dotted name of a constant that the standard library already has for a value, "" where it has none."""
    if not isinstance(value, int):
        return ""
    match kind:
        case Kind.HTTP_STATUS if value in values.HTTP_NAMES:
            return f"http.HTTPStatus.{values.HTTP_NAMES[value]}"
        case Kind.ERRNO if value in values.ERRNO_NAMES:
            return f"errno.{values.ERRNO_NAMES[value]}"
        case Kind.SIGNAL if value in values.SIGNAL_NAMES:
            return f"signal.{values.SIGNAL_NAMES[value]}"
        case _:
            return ""


def suggest(module: Module, found: Place, kind: Kind, value: object, noun: str = "") -> str:
    """A name for a constant, in capitals; it never consists of the value.

    noun: what the called API calls the argument, where that is known.
    """
    parts: list[str]
    match found.role:
        case Role.COMPARISON | Role.MEMBERSHIP:
            parts = _compared(module, found, kind)
        case Role.ARITHMETIC:
            parts = _computed(module, found, kind, value)
        case Role.ARGUMENT | Role.RANGE:
            parts = _handed_over(module, found, kind, noun)
        case Role.SLICE:
            parts = [*_about(module, found, assigned=True), *_part(found)]
        case Role.INDEX:
            parts = [*(telling(_target(module, found.holder)) or _about(module, found)), "INDEX"]
        case Role.FALLBACK:
            parts = ["DEFAULT", *(_fallback_key(found) or _target(module, found.holder) or _about(module, found))]
        case Role.RETURN:
            parts = [*_function(module, found), "RESULT"]
        case _:
            parts = [*(_target(module, found.holder) or _function(module, found)), "LIMIT"]
    name = _join(parts)
    if "_" in name:
        return name
    around = without_doing(telling(_function(module, found)))
    return _join([*around, *parts])  # one word says too little


def _part(found: Place) -> tuple[str, ...]:
    """What the bound of a slice measures: the part before it, or the part after it where it counts from the end."""
    if from_end(found):
        return ("SUFFIX", "LENGTH")
    return ("LENGTH",) if found.position else ("PREFIX", "LENGTH")


def _join(parts: list[str]) -> str:
    """The parts as one identifier, without words said twice, shortened from the front."""
    kept: list[str] = []
    for part in parts:
        bare = "".join(letter for letter in part.upper() if letter.isascii() and letter.isalnum())
        if bare and (bare not in kept or (bare in REPEATED and kept[-1] != bare)):
            kept.append(bare)
    while len(kept) > MAX_WORDS or (len(kept) > 1 and sum(map(len, kept)) + len(kept) > MAX_LENGTH):
        kept.pop(1 if kept[0] in ("MAX", "MIN", "DEFAULT", "EXPECTED") else 0)
    name = "_".join(kept) or "LIMIT"
    return f"N_{name}" if name[0].isdigit() or iskeyword(name) else name


def _about(module: Module, found: Place, *, assigned: bool = False) -> list[str]:
    """What the number meets, with the function's name where that alone says nothing.

    assigned: whether what the result is assigned to says more than the function does.
    """
    spoken = subject(found.partner)
    own = telling(spoken)
    measured = [word for word in own if word in BARE]
    if [*own] != measured and not _is_relayed(found.partner):
        return own
    target = telling(_target(module, found.holder)) if assigned else []
    around = target if tells(target) else ending(without_doing(telling(_function(module, found))), 2)
    return [*around, *(word for word in measured if word in MEASURES)]


def _is_relayed(partner: ast.expr | None) -> bool:
    """Whether a value comes out of a call whose name says only how it is made (`text.split()`, `monotonic()`)."""
    return isinstance(partner, ast.Call) and last_name(partner.func) in RELAYING


def _function(module: Module, found: Place) -> list[str]:
    """The words of the enclosing function (or class, or module), the nearest that says anything, in its own order."""
    parts = [part for part in module.definition(found.holder).split(".") if part]
    stem = module.path.rpartition("/")[2].partition(".")[0]
    for part in (*reversed(parts), stem):
        named = [word for word in words(part) if word != "init"]
        if tells(named):
            return named
    return next((named for part in (*reversed(parts), stem) if telling(named := list(words(part)))), ["module"])


def receiver(module: Module, node: ast.AST) -> frozenset[str]:
    """The words of what is given the value around a node: keyword, key, variable, or else the function."""
    return frozenset(_target(module, node) or words(module.definition(node).rpartition(".")[2]))


def _target(module: Module, node: ast.AST) -> list[str]:
    """The words of the keyword, key or variable that is given the value around a node, [] where there is none."""
    below = node
    for _, above in zip(range(MAX_CLIMB), module.ancestors(node), strict=False):
        name = ""
        match above:
            case ast.keyword(arg=str(keyword)):
                name = keyword
            case ast.Dict(keys=keys, values=values) if (at := siblings.position(below, values)) is not None:
                name = _key(keys[at])
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) | ast.AugAssign(target=target):
                name = _key(target.slice) if isinstance(target, ast.Subscript) else ""
                name = name or last_name(target)
            case _:
                pass
        if name:
            return [word for word in words(name) if not word.isdigit()]
        if isinstance(above, ast.stmt):
            break
        below = above
    return []


def _key(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _fails_beyond(module: Module, found: Place) -> bool | None:
    """Whether an error is raised where a comparison holds (True) or where it does not (False); None for neither."""
    holds = True
    for above in module.ancestors(found.holder):
        match above:
            case ast.UnaryOp(op=ast.Not()):
                holds = not holds
            case ast.Assert():
                return not holds
            case ast.If(body=[ast.Raise(), *_]):
                return holds
            case ast.stmt():
                return None
            case _:
                pass
    return None


def _compared(module: Module, found: Place, kind: Kind) -> list[str]:
    about = _about(module, found)
    operator = operator_of(found)
    if kind is Kind.TOLERANCE:
        return [*about, "TOLERANCE"]
    if kind is Kind.TIMEOUT:
        return [*about, "LIMIT"]
    if kind is Kind.RETRIES:
        return ["MAX", *about]
    if kind is Kind.MASK:
        return [*about, "BITS"]
    fails = _fails_beyond(module, found)
    if operator in (ast.Gt, ast.GtE, ast.Lt, ast.LtE):
        if fails is None:
            return [*about, "THRESHOLD" if kind is Kind.THRESHOLD else "LIMIT"]
        return ["MAX" if fails == (operator in (ast.Gt, ast.GtE)) else "MIN", *about]
    return ["EXPECTED", *about]


ENDINGS = {
    Kind.ALIGNMENT: "MULTIPLE",
    Kind.PERIOD: "PERIOD",
    Kind.DIVISOR: "DIVISOR",
    Kind.OFFSET: "OFFSET",
    Kind.MASK: "MASK",
    Kind.SHIFT: "SHIFT",
    Kind.EXPONENT: "EXPONENT",
    Kind.FACTOR: "FACTOR",
}


def _computed(module: Module, found: Place, kind: Kind, value: object) -> list[str]:
    if kind in (Kind.TIME_UNIT, Kind.BYTE_UNIT, Kind.SCALE) and isinstance(value, int | float):
        names = {Kind.BYTE_UNIT: values.BYTE_NAMES, Kind.SCALE: values.PLAIN_NAMES}.get(kind, {})
        known = names.get(value) or values.UNIT_NAMES.get(value)
        if known:
            return known.split("_")
    about = _about(module, found, assigned=True)
    if kind is Kind.TOLERANCE:
        return [*(about or _target(module, found.holder)), "EPSILON"]
    return [*(about or _target(module, found.holder)), ENDINGS.get(kind, "FACTOR")]


def _handed_over(module: Module, found: Place, kind: Kind, noun: str) -> list[str]:
    if not isinstance(found.holder, ast.Call):
        return _function(module, found)
    function = found.holder.func
    callee = without_doing(telling(words(last_name(function))))
    target = telling(_target(module, found.holder))
    if last_name(function) in DRAWING and len(found.holder.args) > 1 and found.position < len(DRAWING_BOUNDS):
        return [DRAWING_BOUNDS[found.position], *(target or without_doing(telling(_function(module, found))))]
    if kind is Kind.LIMIT and last_name(function).rstrip("_") in LIMITERS:
        others = [arg for arg in found.holder.args if arg is not found.whole and subject(arg)]
        spoken = [word for arg in others for word in subject(arg) if word not in ("min", "max")]
        about = target or spoken or _function(module, found)
        lower = last_name(function) in ("max", "maximum", "fmax") or (
            last_name(function).startswith(("clip", "clamp")) and found.position == len(found.holder.args) - 2
        )
        return ["MIN" if lower else "MAX", *about]
    if kind is Kind.TOLERANCE:
        return [*(callee or _function(module, found)), "TOLERANCE"]
    if kind is Kind.RETRIES:
        return ["MAX", *ending(_function(module, found), 2), "ATTEMPTS"]
    if found.role is Role.RANGE:
        return [*ending(_function(module, found), 3), "ROUNDS"]
    parameter = list(words(parameter_name(module, found.holder, found.position)))
    if parameter:
        said = [*callee, *telling(parameter)]
        return said if sum(map(len, parameter)) > SHORT else _as_setting(said)
    if noun:
        return [*(target if target and kind is Kind.LENGTH else callee), *noun.split("_")]
    named = next((item for item in (target, callee) if tells(item)), [])
    return _as_setting(named or without_doing(telling(_function(module, found))))


def _as_setting(named: list[str]) -> list[str]:
    """The name of something that a call is given; one that says that it is a number needs no further word."""
    return named if named and named[-1] in QUANTITIES else [*named, "SETTING"]


DRAWING = frozenset({"uniform", "randint", "randrange", "integers"})
"""Functions that draw a number between two others."""
DRAWING_BOUNDS = ("MIN", "MAX")


LIMITERS = frozenset(
    {"min", "max", "minimum", "maximum", "fmin", "fmax", "clip", "clamp", "clip_by_value", "amin", "amax"}
)


def parameter_name(module: Module, call: ast.Call, position: int) -> str:
    """The name of the parameter that a positional argument fills, where the callee is defined in the same file."""
    parameter = parameter_of(module, call, position)
    return parameter.arg if parameter is not None else ""


def parameter_of(module: Module, call: ast.Call, position: int) -> ast.arg | None:
    """The parameter that a positional argument fills, where a function or class of the same file is called by name."""
    if any(isinstance(arg, ast.Starred) for arg in call.args[:position]):
        return None
    match call.func:
        case ast.Name(id=name):
            scope = module.scopes.binding_scope(call, name)
            bound = module.scopes.bindings(scope).get(name, []) if scope is not None else []
            skip = 0
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            owner = next((above for above in module.ancestors(call) if isinstance(above, ast.ClassDef)), None)
            bound = [item for item in owner.body if getattr(item, "name", "") == name] if owner else []
            skip = 1
        case _:
            return None
    if len(bound) != 1:
        return None
    found: ast.AST | None = bound[0]
    if isinstance(found, ast.ClassDef):
        found = next((item for item in found.body if getattr(item, "name", "") == "__init__"), None)
        skip = 1
    if not isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    if any(last_name(item) == "staticmethod" for item in found.decorator_list):
        skip = 0
    parameters = [*found.args.posonlyargs, *found.args.args][skip:]
    return parameters[position] if position < len(parameters) else None


def _fallback_key(found: Place) -> list[str]:
    match found.holder:
        case ast.Call(args=args):
            return next((list(words(key)) for key in map(_key, args) if key), [])
    return []
