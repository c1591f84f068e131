"""Whether a number can be given a name by moving it to a constant of its module, or is the hardware's own."""

import ast

from valhalla_lint.facts.module import Module
from valhalla_lint.facts.words import last_name

TEXTS = ("JoinedStr", "TemplateStr")
"""Texts with expressions inside (by name: the second is known to Python 3.14 only)."""
PATTERNS = (ast.match_case, ast.pattern)
SOURCE_TAKERS = frozenset(
    {"component", "guvectorize", "jit", "jit_script", "kernel", "njit", "prim_func", "script", "script_method",
     "stencil", "vectorize", "virtualenv", "external_python", "docker", "kubernetes"}
)  # fmt: skip
"""Last names of decorators that compile, or send away, the source of a function: it may not see its module there."""

KERNELS = frozenset({"kernel", "prim_func"})
"""Last names of decorators that make a kernel of a function: code for one lane of a graphics card."""
KERNEL_LANGUAGES = frozenset({"cuda", "cute", "cutlass", "flyc", "gluon", "tilelang", "triton"})
"""Modules, by their last names, whose `jit` makes a kernel. That of jax or numba makes a function faster, no more."""


def in_kernel(module: Module, node: ast.AST) -> bool:
    """Whether a node is part of a kernel, whose numbers are widths of lanes, warps and tiles, as the card has them."""
    return any(
        isinstance(above, ast.FunctionDef) and any(map(_makes_kernel, above.decorator_list))
        for above in module.ancestors(node)
    )


def _makes_kernel(decorator: ast.expr) -> bool:
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    match node:
        case ast.Attribute(value=base, attr="jit"):
            return last_name(base) in KERNEL_LANGUAGES
        case _:
            return last_name(node) in KERNELS


def obstacle(module: Module, node: ast.AST) -> str:
    """Why a number cannot become a constant of its module, "" where it can."""
    below = node
    for above in module.ancestors(node):
        if above.__class__.__name__ in TEXTS:
            return "it stands inside a text"
        match above:
            case ast.pattern():
                return "in a pattern a plain name would capture the value instead of comparing it"
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                taker = next((name for name in map(_decorator, above.decorator_list) if name in SOURCE_TAKERS), "")
                if taker:
                    return f"@{taker} takes the source of the function, which may not see its module there"
                metaclass = isinstance(above, ast.ClassDef) and any(item.arg == "metaclass" for item in above.keywords)
                if metaclass and below in above.body and not isinstance(below, ast.FunctionDef | ast.AsyncFunctionDef):
                    return "the metaclass may take unknown names in the body of its class for something else"
            case _:
                pass
        below = above
    whole = module.segment(node)
    return "it is spread over several lines" if "\n" in whole else ""


def _decorator(node: ast.expr) -> str:
    return last_name(node.func if isinstance(node, ast.Call) else node)
