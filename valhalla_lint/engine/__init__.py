"""How we look: rules are asked, answers are sorted, suppressed and fingerprinted. Knows no single rule."""
