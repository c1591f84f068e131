"""Files in which nothing can flow: told by their nodes and words alone, so that the engine is not loaded for them.

Packages' `__init__.py`, constants, types: they are many, and loading the engine with its catalogue takes longer than
what else is done with one.
"""

import ast

from valhalla_lint.facts.module import Module

SECRET_TEXTS = frozenset(
    """os.environ .headers getpass password passwd passphrase secret token api_key apikey credential authorization
    cookie private_key connection_str conn_str dsn database_ur db_ur redis_ur broker_ur""".split()
)
"""One of these stands in every file that can show a secret."""
PATH_TEXTS = frozenset({"./", "~/"})
"""One of these stands in every file that makes a path from a text that begins one."""


def is_quiet(module: Module) -> bool:
    """Whether nothing can be found: nothing is called, no `/` and no text makes a path, and no secret is named."""
    return (
        not module.nodes(ast.Call)
        and not any(isinstance(node.op, ast.Div) for node in module.nodes(ast.BinOp))
        and not module.mentions(PATH_TEXTS)
        and not module.mentions(SECRET_TEXTS)
    )
