"""Do environment variables that name secrets come without a default in the source?"""

import re

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable

SECRET = re.compile(
    r"(?:^|_)(?:API_?KEYS?|SECRETS?|SECRET_KEY|PASSWORD|PASSWD|PRIVATE_KEY|ACCESS_KEY|(?:ACCESS|API|AUTH|BEARER|BOT|GITHUB|HF|HUB|INTERNAL|REFRESH)_TOKEN)$"
)
FALLBACK = ("VH105",)


def ask(facts: Facts) -> Reply:
    """Compare reads of such variables with the hits for literal fallbacks."""
    reads = [(file, read) for file in facts.production for read in file.environment if SECRET.search(read.name)]
    if not reads:
        return not_applicable("production code reads no environment variable whose name ends like a secret's")
    hits = [
        facts.cite(hit.path, hit.line, hit.code)
        for hit in facts.risk.hits
        if hit.code in FALLBACK and hit.tier == "production"
    ]
    return no_if(
        hits,
        "{n} literal fallbacks (VH105)",
        f"{len(reads)} reads, none with a literal secret as fallback",
        [facts.cite(file.path, read.line, read.name) for file, read in reads],
    )


PROBE = Probe(
    id="secrets-without-default",
    question="Do secrets from the environment have no literal default in production code?",
    how=(
        "environment variables whose names end in key, secret, password or token words; hits of VH105 in production "
        "code"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="let the start fail where the secret is missing",
)
