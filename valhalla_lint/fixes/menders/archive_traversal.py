"""VH204: the extraction of a tar archive gets `filter="data"`."""

from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding
from valhalla_lint.facts.mending.calls import extraction_can_be_mended, keyword_can_be_set
from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.calls import with_keyword
from valhalla_lint.fixes.fix import Fix, Mender, Refusal
from valhalla_lint.fixes.places import calls_at

DATA = '"data"'


def plan(module: Module, findings: Sequence[Finding]) -> Iterator[Fix | Refusal]:
    """One fix for each call. Members that the filter refuses or changes were extracted before, so none is safe."""
    for finding in findings:
        call = next((item for item in calls_at(module, finding.span) if keyword_can_be_set(item, "filter")), None)
        if call is None or not extraction_can_be_mended(module, call):
            yield Refusal(finding, "only the extraction of what is surely a tar archive can be given a filter")
            continue
        made = with_keyword(module, call, "filter", DATA)
        if made is None:
            yield Refusal(finding, "the call is written in a way that cannot be extended exactly")
            continue
        edit, replaced = made
        yield Fix("VH204", (finding,), (edit,), (replaced,), safe=False, summary='extract with filter="data"')


MENDER = Mender("VH204", plan)
