"""What the components of a page hand to a function of it: what a visitor wrote, or what the page itself keeps."""

import ast
from collections.abc import Iterator

from valhalla_lint.facts.calls import last_name
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.scopes import defaults
from valhalla_lint.flow.words import OWNERS

PAGES = "gradio"
UPLOADS = frozenset(
    """Audio Video Image File UploadButton Gallery Model3D ImageEditor ImageMask Paint Sketchpad ImageSlider
    AnnotatedImage""".split()
)
"""Components whose files lie where the framework put them: what a page names instead is refused."""
KEPT = frozenset({"State"})
"""What stays on the server: a page holds no more than a key of its session."""
CHOICES = frozenset({"Dropdown", "Radio", "CheckboxGroup"})
"""Components that refuse what is not one of the choices with which they are made, unless they allow others."""
OWN_CHOICE = "allow_custom_value"
NO_TEXTS = frozenset({"Checkbox", "Slider"})
"""Components that hand over a truth, or a number within bounds."""
WORDS = frozenset(name.lower() for name in UPLOADS | KEPT | NO_TEXTS)
"""Words that stand for a component as it is made without arguments: `inputs=["text", "image"]`."""
MAX_NAMES = 3
"""Names and lists that are followed to where a component is made."""
MAX_LENGTH = 16
"""Components of one list that is written as a loop."""


def handed_by_page(module: Module, call: ast.Call, function: FunctionNode) -> frozenset[str]:
    """The parameters of a function that get nothing which a visitor of a page of Gradio wrote.

    call: what registers the function, with the components whose values it gets, in its parameters' order.
    """
    chat = last_name(call.func) == "ChatInterface"  # its function gets the message and the history first
    given = {item.arg: item.value for item in call.keywords}
    inputs = given.get("additional_inputs") if chat else given.get("inputs")
    if inputs is None and not chat and len(call.args) > 1:
        inputs = call.args[1]
    if inputs is None:
        return frozenset()
    args = function.args
    names = [arg.arg for arg in (*args.posonlyargs, *args.args) if arg.arg not in OWNERS][2 * chat :]
    components, whole = _parts(module, inputs)
    kept = [bool(part) and all(_is_kept(module, made) for made in part) for part in components]
    skipped = {name for name, is_kept in zip(names, kept, strict=False) if is_kept}
    skipped.update(_given_by_framework(module, function))
    if args.vararg is not None and whole and all(kept[len(names) :]):
        skipped.add(args.vararg.arg)
    return frozenset(skipped)


def _given_by_framework(module: Module, function: FunctionNode) -> Iterator[str]:
    """The parameters that the framework fills by their default: `progress=gr.Progress()`."""
    for arg, given in defaults(function):
        if not isinstance(given, ast.Call) or last_name(given.func) != "Progress":
            continue
        if (module.name(given.func) or PAGES).partition(".")[0] == PAGES:
            yield arg.arg


def _parts(module: Module, node: ast.expr) -> tuple[list[tuple[ast.expr, ...]], bool]:
    """The components of a list from its beginning, and whether these are all of them."""
    match node:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            found: list[tuple[ast.expr, ...]] = []
            for item in elements:
                if isinstance(item, ast.Starred):
                    inner, whole = _parts(module, item.value)
                    found += inner
                    if not whole:
                        return found, False
                else:
                    found.append(_made(module, item))
            return found, True
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            first, whole = _parts(module, left)
            if not whole:
                return first, False
            second, whole = _parts(module, right)
            return first + second, whole
        case ast.ListComp(elt=item, generators=[ast.comprehension(iter=ast.Call(func=ast.Name("range"), args=[end]))]):
            count = module.constants.value(end)
            whole = isinstance(count, int) and 0 <= count <= MAX_LENGTH
            return [_made(module, item)] * (count if isinstance(count, int) and whole else 1), whole
        case ast.Name() if _appended(module, node):
            return [_all_appended(module, node, MAX_NAMES)], False
        case ast.Name():
            made = module.scopes.value_of(node)
            if isinstance(made, ast.List | ast.Tuple | ast.BinOp | ast.ListComp):
                return _parts(module, made)
            return [_made(module, node)], isinstance(made, ast.Call)
        case _:
            return [_made(module, node)], isinstance(node, ast.Call)


def _made(module: Module, node: ast.expr, left: int = MAX_NAMES) -> tuple[ast.expr, ...]:
    """The calls that make a component, or the words that stand for one (`"text"`); empty where one is not known."""
    if left == 0:
        return ()
    match node:
        case ast.Name():
            scope = module.scopes.binding_scope(node, node.id)
            bound = module.scopes.bindings(scope).get(node.id, ()) if scope is not None else ()
            values = [module.parent(target) for target in bound]
            made = tuple(item.value for item in values if isinstance(item, ast.Assign) and len(item.targets) == 1)
            return made if len(made) == len(values) else ()
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return tuple(module.attribute_values.get((module.scopes.owner(node), name), ()))
        case ast.Subscript(value=ast.Name() as several):  # of a list that is filled in a loop
            return _all_appended(module, several, left)
        case _:
            return (node,)


def _appended(module: Module, several: ast.Name) -> list[ast.expr]:
    """What is appended to a list, wherever in the scope of its name."""
    scope = module.scopes.binding_scope(several, several.id)
    return [
        call.args[0]
        for call in module.calls.get("append", ())
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == several.id
        and module.scopes.binding_scope(call.func.value, several.id) is scope
        and len(call.args) == 1
    ]


def _all_appended(module: Module, several: ast.Name, left: int) -> tuple[ast.expr, ...]:
    """The components of a list that is filled in a loop; empty where one of them is not known."""
    added = [_made(module, item, left - 1) for item in _appended(module, several)]
    return tuple(made for part in added for made in part) if all(added) else ()


def _is_kept(module: Module, made: ast.expr) -> bool:
    """Whether a component hands over nothing that a visitor wrote.

    That is what the server keeps, a file that it took in itself, one of its choices, a truth, a number within bounds.
    """
    match made:
        case ast.Call():
            pass
        case ast.Constant(value=str(word)):
            return word.lower() in WORDS
        case _:
            return False
    dotted = module.name(made.func)
    if dotted is not None and dotted.partition(".")[0] != PAGES:
        return False  # None: of a package that is imported only where it is there (`gr = load()`)
    name = last_name(made.func)
    if name in CHOICES:
        given = {item.arg: item.value for item in made.keywords}
        own = [given[word] for word in (OWN_CHOICE, None) if word in given]
        closed = all(isinstance(item, ast.Constant) and item.value is False for item in own)
        return closed and (bool(made.args) or "choices" in given)
    if name == "Number":
        return {"minimum", "maximum"} <= {item.arg for item in made.keywords}
    return name in UPLOADS | KEPT | NO_TEXTS
