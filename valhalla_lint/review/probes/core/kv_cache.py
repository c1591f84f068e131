"""Does production code handle a key/value cache?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable
from valhalla_lint.review.signs import named, shown, uses
from valhalla_lint.review.tables import table

WORDS_NAMED = 3
"""Names of a file that its place holds."""


def ask(facts: Facts) -> Reply:
    """Look at the names of classes and functions, and at the names that are used."""
    if not uses(facts, "models"):
        return not_applicable("production code imports no library that runs models")
    words = table("signs")["names"]["cache_words"]
    places = list(named(facts, "cache"))
    seen = {place.path for place in places}
    for file in facts.production:
        used = sorted(name for name in file.words if any(word in name.lower() for word in words))
        if used and file.path not in seen:
            places.append(facts.cite(file.path, note=", ".join(used[:WORDS_NAMED])))
    return shown(facts, "engine", places, "{n} places", "no name speaks of one")


PROBE = Probe(
    id="kv-cache",
    question="Does production code handle a key/value cache?",
    how=(
        "names that speak of one: of classes and functions (KVCache, PagedAttention, BlockManager, kv_cache_clear and "
        "their kin), and names that are used (kv_cache, past_key_values, block_tables and their kin); unknown where "
        "none does and sources in other languages were not analysed"
    ),
    ask=ask,
)
