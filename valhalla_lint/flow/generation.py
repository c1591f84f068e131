"""Parameters of a generation: which arguments of an engine's call need bounds, and which have none."""

import ast
from typing import TYPE_CHECKING

from valhalla_lint.flow.labels import Grade, Kind, Mark, Risk, Use
from valhalla_lint.flow.values import all_labels, with_labels

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Call, Machine

ABOVE = Risk.UPPER
BOTH = Risk.UPPER | Risk.LOWER
UNPACKED = "all that is unpacked (**)"
"""How messages call arguments whose names the client chooses as well."""
NEEDS: dict[str, int] = {
    UNPACKED: ABOVE,
    **dict.fromkeys(
        """max_tokens max_new_tokens max_length max_output_tokens max_completion_tokens max_tokens_to_sample num_predict
        n num_return_sequences best_of num_beams num_images_per_prompt num_inference_steps""".split(),
        ABOVE,
    ),
    **dict.fromkeys("temperature top_p top_k presence_penalty frequency_penalty repetition_penalty".split(), BOTH),
    **dict.fromkeys("prompt prompts inputs text messages input_text".split(), Risk.LONG),
}
"""Arguments by name, with what must be bounded."""
TELLING = frozenset(
    "max_tokens max_new_tokens max_output_tokens max_completion_tokens max_tokens_to_sample num_predict".split()
)
"""Arguments that only a generation has."""
ENGINES = frozenset(
    "generate agenerate generate_stream stream_generate create_completion create_chat_completion SamplingParams".split()
)


def bounds_asked(text: str) -> bool:
    """Whether a file's text may hold a call whose arguments need bounds; those are often made numbers on the way."""
    return "_tokens" in text or "enerate" in text or "num_predict" in text or "SamplingParams" in text


def tells(call: ast.Call) -> bool:
    """Whether a call has an argument that only a generation has."""
    return any(keyword.arg in TELLING for keyword in call.keywords)


def note(machine: "Machine", call: "Call", last: str) -> None:
    """Note unbounded values of a request that reach a call that generates."""
    known = last in ENGINES or last in machine.catalogue.words("generation")
    if not known and TELLING.isdisjoint(call.keywords):
        return
    if not known and last[:1].isupper():
        return  # a message or settings object that only carries the values on
    given = {name: value for name, value in call.keywords.items() if name in NEEDS}
    if last in ENGINES and call.arguments and "prompt" not in given and last != "SamplingParams":
        given["prompt"] = call.arguments[0]
    if last in ENGINES and call.extra is not None:
        kept = tuple(label for label in call.extra.labels if label.origin.kind is Kind.REQUEST)
        given[UNPACKED] = with_labels(kept)  # the fields of a body have bounds of their own
    for name, value in given.items():
        for label in all_labels(value, call.state):
            if label.origin.grade is not Grade.CERTAIN or label.marks & Mark.INDIRECT:
                continue
            if machine.left(label, call.state) & NEEDS[name]:
                machine.reach(label, Use.GENERATE, call.node, f"{last}()", call.state, call.frame, argument=name)
                break
