"""What the components of a page hand to a function of it: what a visitor wrote, or what the page itself keeps."""

import ast

from valhalla_lint.facts.calls import last_name
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.scopes import parameters
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
    names = [arg.arg for arg in parameters(function) if arg.arg not in OWNERS][2 * chat :]
    components, _ = _parts(module, inputs)
    return frozenset(
        name for name, part in zip(names, components, strict=False) if part is not None and _is_kept(module, part)
    )


def _parts(module: Module, node: ast.expr) -> tuple[list[ast.expr | None], bool]:
    """The components of a list from its beginning, and whether these are all of them."""
    match node:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            found: list[ast.expr | None] = []
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
        case ast.Name():
            made = module.scopes.value_of(node)
            if isinstance(made, ast.List | ast.Tuple | ast.BinOp | ast.ListComp):
                return _parts(module, made)
            return [_made(module, node)], isinstance(made, ast.Call)
        case _:
            return [_made(module, node)], isinstance(node, ast.Call)


def _made(module: Module, node: ast.expr) -> ast.expr | None:
    """The call that makes a component, or the word that stands for one (`"text"`)."""
    match node:
        case ast.Name():
            return module.scopes.value_of(node)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            function = module.function(node)
            owner = module.scopes.class_of(function) if function is not None else None
            values = module.attribute_values.get((owner, name), ())
            return values[0] if len(values) == 1 else None
        case _:
            return node


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
