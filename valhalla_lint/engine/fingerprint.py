"""What makes a finding the same finding after lines have moved.

A fingerprint is `<body>-<place>`: 20 hexadecimal digits over code, enclosing definition and normalised text, and 8 over
the path, so that a finding in a moved file is still matched by its body. For a secret the text has the value replaced,
and a keyed digest of the value takes part only where the value holds more than 64 bits of entropy: a new secret on a
known line is a new finding, and a weak one cannot be guessed from a baseline.
"""

import math
from collections import Counter

try:
    from _sha256 import sha256  # type: ignore[import-not-found]  # the one that `hashlib` has, which loads OpenSSL first
except ImportError:
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]  # its name from Python 3.12 on
    except ImportError:  # another Python than CPython
        from hashlib import sha256

BODY_DIGITS = 20
PLACE_DIGITS = 8
GUESSABLE_BITS = 64
"""Values with no more entropy than this leave no digest behind."""
KEY = b"valhalla-lint fingerprint 1"
"""Separates our digests from plain hashes of the same value; it is not a secret."""


def bits(value: str | bytes) -> float:
    """The Shannon entropy of a value's own characters, times its length: an estimate from below of its strength."""
    if not value:
        return 0.0
    size = len(value)
    counts: Counter[object] = Counter(value)
    return -sum(count * math.log2(count / size) for count in counts.values())


def normalise(text: str, secret: str | bytes | None = None) -> str:
    """A line or segment with blanks folded, and with the secret (as text or as escaped bytes) taken out."""
    if secret:
        plain = secret if isinstance(secret, str) else secret.decode("utf-8", "replace")
        for part in {plain, *plain.splitlines()}:
            if part:
                text = text.replace(part, "<secret>")
    return " ".join(text.split())


def fingerprint(path: str, code: str, definition: str, text: str, secret: str | bytes | None = None) -> str:
    """The fingerprint of one finding; `text` is the segment or line that it stands on."""
    body = sha256("\x1f".join((code, definition, normalise(text, secret))).encode("utf-8", "surrogatepass"))
    if secret and bits(secret) > GUESSABLE_BITS:
        import hmac

        value = secret if isinstance(secret, bytes) else secret.encode("utf-8", "surrogatepass")
        body.update(hmac.digest(KEY, value, "sha256"))
    return placed(str(body.hexdigest())[:BODY_DIGITS], path)


def placed(known: str, path: str) -> str:
    """A fingerprint (or its body) as it is for the same finding under another path."""
    place = sha256(path.encode("utf-8", "surrogatepass"))
    return f"{known.partition('-')[0]}-{place.hexdigest()[:PLACE_DIGITS]}"
