"""Ratios as texts, in whole numbers only, so that no platform rounds otherwise."""

NOTHING = "-"
"""Shown where there is nothing to divide by."""
THOUSAND = 1_000
HUNDRED = 100


def ratio(part: int, whole: int, scale: int = 1) -> str:
    """`part` times `scale` over `whole`, with two decimals."""
    if not whole:
        return NOTHING
    units, decimals = divmod((part * scale * HUNDRED + whole // 2) // whole, HUNDRED)
    return f"{units}.{decimals:02d}"


def rate(count: int, lines: int) -> str:
    """A count per 1,000 lines, with two decimals."""
    return ratio(count, lines, THOUSAND)


def percent(part: int, whole: int) -> str:
    """A share in percent, with one decimal."""
    if not whole:
        return "0.0 %"
    units, tenths = divmod((part * THOUSAND + whole // 2) // whole, THOUSAND // HUNDRED)
    return f"{units}.{tenths} %"
