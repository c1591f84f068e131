"""One yes/no question about a tree: what a probe is, and what it replies."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from valhalla_lint.core.evidence import Answer, Basis, Citation, Evidence, Outcome
from valhalla_lint.review.collect import Facts


@dataclass(frozen=True, slots=True)
class Reply:
    """What a probe found.

    positive: places that speak for a yes, negative: for a no. because: why it is unknown or not applicable.
    """

    outcome: Outcome
    reading: str = ""
    positive: tuple[Citation, ...] = ()
    negative: tuple[Citation, ...] = ()
    because: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question.

    how: how it is answered, so that a reader can do the same by hand. remedy: what would change the worse answer.
    good: the answer that a maintainer would want; None where neither is better.
    """

    id: str
    question: str
    how: str
    ask: Callable[[Facts], Reply]
    good: Outcome | None = None
    remedy: str = ""
    basis: Basis = Basis.SOURCE

    def answer(self, facts: Facts, layer: str) -> Answer:
        """Ask, and put question and reply together."""
        reply = self.ask(facts)
        worse = self.good is not None and reply.outcome in (Outcome.YES, Outcome.NO) and reply.outcome is not self.good
        return Answer(
            id=self.id,
            layer=layer,
            question=self.question,
            outcome=reply.outcome,
            reading=reply.reading,
            because=reply.because,
            basis=self.basis,
            how=self.how,
            positive=Evidence.of(list(reply.positive)),
            negative=Evidence.of(list(reply.negative)),
            remedy=self.remedy if worse else "",
            good=self.good,
        )


def yes_if(places: Iterable[Citation], found: str, not_found: str, negative: Iterable[Citation] = ()) -> Reply:
    """Yes where there are places, no where there are none; `{n}` in the readings is their number."""
    positive = tuple(sorted(set(places)))
    outcome = Outcome.YES if positive else Outcome.NO
    return Reply(outcome, (found if positive else not_found).format(n=len(positive)), positive, tuple(negative))


def named_or_unknown(places: Iterable[Citation], found: str, not_found: str) -> Reply:
    """Yes where something is named so; unknown where nothing is, as it may well go by another name."""
    reply = yes_if(places, found, "")
    return reply if reply.positive else unknown(f"{not_found}; under another name it would not be seen")


def no_if(places: Iterable[Citation], found: str, not_found: str, positive: Iterable[Citation] = ()) -> Reply:
    """No where there are places (they speak against), yes where there are none."""
    negative = tuple(sorted(set(places)))
    outcome = Outcome.NO if negative else Outcome.YES
    return Reply(outcome, (found if negative else not_found).format(n=len(negative)), tuple(positive), negative)


def not_applicable(because: str) -> Reply:
    """The question does not arise."""
    return Reply(Outcome.NOT_APPLICABLE, because=because)


def unknown(because: str) -> Reply:
    """Nobody can tell from here."""
    return Reply(Outcome.UNKNOWN, because=because)
