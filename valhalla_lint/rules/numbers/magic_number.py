"""VH301 magic-number."""

from collections.abc import Iterator
from typing import NamedTuple

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import Verdict, judged
from valhalla_lint.facts.numbers.extraction import in_kernel, obstacle
from valhalla_lint.facts.numbers.kinds import Kind


class Options(NamedTuple):
    """What a project allows beyond the defaults."""

    allowed_values: tuple[float, ...] = ()
    allowed_contexts: tuple[str, ...] = ()
    by_path: tuple[str, ...] = ()


HTTP_STATUS = "http-status"
"""A context of its own: statuses are many in code that speaks HTTP, and most readers know the usual ones."""

ABOUT = {
    "allowed_values": "numbers that need no name anywhere, such as 90, 180, 270",
    "allowed_contexts": "roles that are not looked at: comparison, membership, arithmetic, argument, range, fallback,"
    " index, slice, return, format; or http-status for the statuses that `http.HTTPStatus` names",
    "by_path": 'values and roles allowed in some files only, each as "pattern: 255 127.5 slice" (patterns as in'
    " .gitignore)",
}


def check(module: Module, options: Options) -> Iterator[Hit]:
    if not module.settings.strict_tiers and RULE.severity_in(module.tier.tier) is None:
        return  # numbers are many, and nothing would be said of them
    verdicts = judged(module)
    if not verdicts:
        return
    values, contexts = _allowed(module, options)
    for verdict in verdicts.values():
        if verdict.role.value in contexts or verdict.node.value in values:
            continue
        known = verdict.kind is Kind.HTTP_STATUS and bool(verdict.ready)
        if known and HTTP_STATUS in contexts:
            continue
        mends = not obstacle(module, verdict.whole)
        yield Hit(
            verdict.whole,
            values=_words(verdict),
            remedy=_remedy(verdict),
            confidence=Confidence.LOW if known else None,
            mends=mends,
            audit=in_kernel(module, verdict.whole),
        )


def _words(verdict: Verdict) -> dict[str, object]:
    return {
        "number": verdict.spelling,
        "kind": verdict.kind.value,
        "reason": verdict.reason,
        "name": verdict.ready or verdict.suggested_name,
    }


def _remedy(verdict: Verdict) -> str:
    if verdict.ready:
        return f"use {verdict.ready}"
    return f"name it, for example {verdict.suggested_name}"


def _allowed(module: Module, options: Options) -> tuple[frozenset[object], frozenset[str]]:
    values: set[object] = set(options.allowed_values)
    contexts = set(options.allowed_contexts)
    if options.by_path:
        from pathspec import GitIgnoreSpec

        for entry in options.by_path:
            pattern, _, allowed = entry.partition(":")
            if not GitIgnoreSpec.from_lines([pattern.strip()]).match_file(module.path):
                continue
            for item in allowed.replace(",", " ").split():
                try:
                    values.add(float(item))
                except ValueError:
                    contexts.add(item)
    return frozenset(values), frozenset(contexts)


RULE = Rule(
    code="VH301",
    name="magic-number",
    message="{number} is {kind} without a name: {reason}; call it {name}",
    why=(
        "A number that decides something is a decision. Without a name nobody can find it, tell why it has this value,"
        " or change it in every place where it is meant. Numbers that are structure, data, textbook or already named"
        " stay silent. HTTP statuses have low confidence: a name tells 422 from 424 and a search finds it, but what"
        ' stands beside one says that it is a status; `allowed-contexts = ["http-status"]` leaves them out.'
    ),
    remedy="give the number a name where its kind is settled: a constant, a field of the settings, an enum member",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    tiers={Tier.TEST: None, Tier.SCRIPT: None},
    cwe=(1106,),
    options=Options,
    about=ABOUT,
    check=check,
    mends=True,
    bad=(
        Bad("""
            def check(prompt):
                if len(prompt) > 8192:  # VH301
                    raise ValueError("prompt too long")
                return prompt
            """),
        Bad("""
            import time

            def send(client, rows):
                for attempt in range(3):  # VH301
                    reply = client.post(rows)
                    if reply.status_code in (200, 204):  # VH301 VH301
                        return reply
                    time.sleep(0.5)  # VH301
                return None
            """),
        Bad(
            """
            def age(then, now):
                hours = (now.seconds - then.seconds) / 3600  # VH301
                return hours, now.seconds * 3600  # VH301
            """,
            note="A unit that is converted twice in a file deserves one name.",
        ),
        Bad(
            """
            def pad(length):
                return (0x40 - length % 0x40) % 0x40  # VH301 VH301 VH301
            """,
            note="The message shows a number as the source spells it.",
        ),
        Bad("""
            def decode(line):
                return line[7:], line.split()[8], line[:-1]  # VH301 VH301
            """),
        Bad(
            """
            def slow(load):
                return load > 0.85  # VH301
            """,
            options={"allowed_values": (0.9,), "allowed_contexts": ("slice",), "by_path": ("lib/**: 0.85",)},
        ),
    ),
    good=(
        Good("""
            from enum import IntEnum

            MAX_PROMPT_CHARS = 8192
            RETRY_DELAYS = (3, 9, 27)

            class Port(IntEnum):
                METRICS = 9464

            class Settings:
                batch_size: int = 512

            def run(rows, *, timeout=30):
                return pool(rows, workers=16, timeout=timeout * 2)
            """),
        Good(
            """
            def human(nbytes):
                if nbytes >= 1 << 20:
                    return f"{nbytes / (1 << 20):.2f} MiB"
                return f"{nbytes / 1024:.1f} KiB"
            """,
            note="A unit that is converted once is no riddle.",
        ),
        Good("""
            import math
            import sys

            def shape(image, share, code):
                if sys.version_info >= (3, 12) and image.ndim == 3:
                    print("-" * 40)
                density = math.exp(-(share**2) / 2.0) / math.sqrt(2 * math.pi)
                return density, round(100 * share, 2), int(code, 16), image[..., :3]
            """),
        Good(
            """
            def slow(load):
                return load > 0.85
            """,
            path="src/gauges/load.py",
            options={"by_path": ("src/gauges/**: 0.85 slice",)},
        ),
        Good(
            """
            def found(reply):
                return reply.status_code not in (404, 410) and reply.status == 200
            """,
            options={"allowed_contexts": ("http-status",)},
        ),
        Good(
            """
            import triton
            import triton.language as tl

            @triton.jit
            def pack(source, target, count):
                lane = tl.arange(0, 128) * 8
                if count > 192:
                    tl.store(target + lane * 4, tl.load(source + lane // 16))
            """,
            note="The numbers of a kernel are those of the card; the preset audit reports them.",
        ),
        Good("def test_size(reply):\n    assert len(reply) == 37\n", path="tests/test_size.py"),
    ),
)
