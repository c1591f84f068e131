"""Is the environment read in few places?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable

FEW = 3


def ask(facts: Facts) -> Reply:
    """Look at the reads of environment variables."""
    readers = [file for file in facts.production if file.environment]
    if not readers:
        return not_applicable("production code reads no environment variable")
    places = tuple(
        facts.cite(file.path, read.line, read.name or "(computed name)")
        for file in readers
        for read in file.environment
    )
    reads = sum(len(file.environment) for file in readers)
    outcome = Outcome.YES if len(readers) <= FEW else Outcome.NO
    reading = f"{reads} reads in {len(readers)} modules"
    return Reply(outcome, reading, *((places, ()) if outcome is Outcome.YES else ((), places)))


PROBE = Probe(
    id="environment",
    question=f"Is the environment read in at most {FEW} production modules?",
    how="os.getenv, os.environ[…], os.environ.get and `in os.environ`; the inventory is in the asset panel",
    ask=ask,
    good=Outcome.YES,
    remedy="read the environment once, into a settings object that checks it",
)
