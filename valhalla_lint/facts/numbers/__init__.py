"""Which numbers decide something and have no name, why, and what each should be called.

A number is judged by where it stands (`places`), by what it is (`kinds`) and by how often it stands there; never by a
list of values alone. Small integers as structure, percent, textbook formulas, data and everything that is named where
it stands stay silent; doubtful kinds (a unit converted once, a fallback given once) do too.
"""

from valhalla_lint.facts.numbers.kinds import Kind
from valhalla_lint.facts.numbers.places import Role
from valhalla_lint.facts.numbers.verdicts import Verdict, judge, judged

__all__ = ["Kind", "Role", "Verdict", "judge", "judged"]
