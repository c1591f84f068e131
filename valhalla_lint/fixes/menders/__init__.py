"""The menders: one file a rule that can be mended, called like the rule."""

import importlib
import pkgutil
from functools import cache

from valhalla_lint.fixes.fix import Mender


@cache
def all_menders() -> tuple[Mender, ...]:
    """Every mender, sorted by the code of its rule."""
    found = [importlib.import_module(f"{__name__}.{item.name}").MENDER for item in pkgutil.iter_modules(__path__)]
    return tuple(sorted(found, key=lambda mender: mender.code))
