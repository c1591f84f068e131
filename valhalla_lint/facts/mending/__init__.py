"""Which findings can be mended: asked by rules, which say so, and by menders, which do it."""
