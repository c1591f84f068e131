"""Which words of a definition, a call or an expression tell what a number in it is about."""

from collections.abc import Sequence

from valhalla_lint.facts.words import word_set

SHORT = 2
"""Words of so few letters (`x`, `dt`, `st`) tell nothing, apart from those that everybody reads."""
READ_BY_ALL = word_set("id ip db io os ui ms us ns kb mb gb tb ai hz lr ok to of by in on at up")
DOING = word_set(
    """get set make create build compute calculate calc do run call load save read write parse format render generate
    process handle check is has should can test update find fetch to from try maybe ensure validate initialize setup
    apply convert add remove delete send receive print show display draw emit collect extract wait until new use
    resolve prepare perform execute return on"""
)
"""Words with which names of functions begin and that say what is done, not to what."""
GENERAL = word_set(
    """call run main do init new process handle forward check test wrapper inner func fn function callback invoke apply
    execute enter exit iter next f get set post put start stop update build create module value data object item result
    helper impl default cli app tmp temp"""
)
"""Words that tell nothing where they are all of a name."""
QUANTITIES = word_set(
    """timeout limit size value count seconds length width height rate ratio port seed threshold delay interval factor
    weight offset index depth level max min number percent temperature budget ttl age amount capacity bits bytes
    milliseconds minutes hours days alpha beta gamma epsilon tolerance scale shape steps opacity fraction share score"""
)
"""Words that say by themselves that a number is meant."""
BARE = word_set("length size value data count index number string str")
"""Words that say of what kind something is; what it is, another word has to say."""
MEASURES = BARE - word_set("value data string str")
"""Those of them that a name keeps."""
RELAYING = word_set(
    """split rsplit splitlines join format encode decode strip lstrip rstrip replace lower upper copy read readline
    order_by filter exclude all tolist tobytes items keys values monotonic time perf_counter now utcnow total_seconds
    timestamp sub urandom getvalue dumps loads repr hex"""
)
"""Functions whose name says how a value is made, and not what it is."""


def telling(found: Sequence[str]) -> list[str]:
    """The words of a name that tell something: letters and short words go, digits too."""
    return [word for word in found if not word.isdigit() and (len(word) > SHORT or word in READ_BY_ALL)]


def without_doing(found: Sequence[str]) -> list[str]:
    """The words of a function's name without what it does in front (`set_determinism`), if anything is left."""
    left = list(found)
    while len(left) > 1 and left[0] in DOING:
        left.pop(0)
    return left


def ending(found: Sequence[str], most: int) -> list[str]:
    """The last words of a name, as many as may be, not beginning in the middle of `x for y`."""
    left = list(found)[-most:]
    while len(left) > 1 and left[0] in JOINING:
        left.pop(0)
    return left


JOINING = word_set("to for of by in on at or and with from until as")


def tells(found: Sequence[str]) -> bool:
    """Whether a name says anything about what it names."""
    return any(word not in GENERAL for word in telling(found))
