"""How findings are mended: text is spliced at exact places, and nothing is written that was not proven first.

A mender (one file a rule, in `menders`) plans fixes for the findings of its rule; `mend` chooses, splices and proves
them; `write` puts the result on disk. libcst lives here and nowhere else, and is loaded only for a fix that needs it.
"""
