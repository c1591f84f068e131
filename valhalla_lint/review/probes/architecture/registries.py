"""Are things registered by name?"""

import re

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

REGISTER = re.compile(r"(?:^|[._])_?register(?:_[a-z_]+)?$")
FOREIGN = re.compile(
    r"^(?:atexit|signal|codecs|copyreg|abc|functools|torch\.library|torch\.nn|weakref|jax|numpy|warnings)\.|register_(?:buffer|parameter|module|forward|hook|full|state|blueprint|fake|backward|load|post|pre|error|next|router|tortoise|model_for|listener|opaque)|singledispatch"
)


def ask(facts: Facts) -> Reply:
    """Look for decorators and calls that register, and for tables of classes."""
    found = []
    for file in facts.production:
        for function in file.functions:
            for name, _ in function.decorators:
                if REGISTER.search(name) and not FOREIGN.search(name):
                    found.append(facts.cite(file.path, function.line, f"@{name}"))
        for item in file.classes:
            found.extend(
                facts.cite(file.path, item.line, f"@{name}")
                for name in item.decorators
                if REGISTER.search(name) and not FOREIGN.search(name)
            )
        found.extend(facts.cite(file.path, line, f"{name}, {count} entries") for name, line, count in file.tables)
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(
        found,
        "{n} decorated definitions or tables",
        "no decorator named register… and no table of classes or functions",
    )


PROBE = Probe(
    id="registries",
    question="Are classes, functions or instances kept in registries or tables by name?",
    how=(
        "decorators named register or register_…, and module- or class-level dictionaries all of whose values are "
        "classes, functions, lambdas or instances of classes of the same file; registrations with libraries (hooks, "
        "buffers, atexit, blueprints) do not count"
    ),
    ask=ask,
)
