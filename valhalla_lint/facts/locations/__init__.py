"""Literal places in code: absolute paths and addresses of services, each with what it means.

What a literal means comes from its text (tables `data/locations/*.toml`) and from what is done with it (`uses`): the
same text is a finding where it is used, and none where it is a default that a user can change, a text for people, a
route, or a place that is the same on every machine.
"""

from valhalla_lint.facts.locations.addresses import addresses
from valhalla_lint.facts.locations.location import Location, Meaning
from valhalla_lint.facts.locations.paths import paths
from valhalla_lint.facts.locations.uses import Use

__all__ = ["Location", "Meaning", "Use", "addresses", "paths"]
