"""The questions of a review: one file, one question, four layers. This package finds every `PROBE` below it."""

import importlib
import pkgutil
from functools import cache

from valhalla_lint.review.probe import Probe

LAYERS = (
    ("hygiene", "Engineering hygiene"),
    ("architecture", "Architecture and design"),
    ("core", "Core algorithm and performance evidence"),
    ("security", "Security and robustness"),
)


@cache
def probes(layer: str) -> tuple[Probe, ...]:
    """The probes of a layer, sorted by id. Raises ValueError where two share an id."""
    package = importlib.import_module(f"{__name__}.{layer}")
    found = []
    for item in pkgutil.iter_modules(package.__path__):
        probe = getattr(importlib.import_module(f"{package.__name__}.{item.name}"), "PROBE", None)
        if isinstance(probe, Probe):
            found.append(probe)
    ids = [probe.id for probe in found]
    if twice := sorted({name for name in ids if ids.count(name) > 1}):
        raise ValueError(f"probes share an id: {', '.join(twice)}")
    return tuple(sorted(found, key=lambda probe: probe.id))
