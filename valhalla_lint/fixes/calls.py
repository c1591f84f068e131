"""A keyword argument that a call gets, or whose value is exchanged: written as the call is already written."""

import ast
from collections.abc import Sequence

from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.fix import Edit, Replaced
from valhalla_lint.fixes.text import Places


def with_keyword(module: Module, call: ast.Call, name: str, value: str) -> tuple[Edit, Replaced] | None:
    """The call with a keyword argument set to a value, given as it is written; None where that cannot be done exactly.

    libcst reads the call alone, so that commas, comments and line ends around its arguments stay as they are.
    """
    new_call = _tree_with(call, name, ast.parse(value, mode="eval").body)
    places = Places(module.text)
    start, end = places.range(module.span(call))
    given = next((item for item in call.keywords if item.arg == name), None)
    if given is not None:
        first, last = places.range(module.span(given.value))
        return Edit(first, last, value), Replaced(call, new_call)
    text = module.text[start:end]
    new = _text_with(text, name, value, places.line_end(call.lineno))
    if new is None:
        return None
    edit = smallest(text, new, start)
    return (edit, Replaced(call, new_call)) if edit.start == edit.end else None  # nothing is taken away


def without_argument(module: Module, call: ast.Call, gone: ast.expr) -> tuple[Edit, Replaced] | None:
    """The call without one of its arguments, given as its value; None where that cannot be written exactly."""
    order = [*call.args, *(item.value for item in call.keywords)]
    order.sort(key=lambda item: (item.lineno, item.col_offset))
    number = order.index(gone)
    new_call = ast.Call(
        func=call.func,
        args=[item for item in call.args if item is not gone],
        keywords=[item for item in call.keywords if item.value is not gone],
    )
    start, end = Places(module.text).range(module.span(call))
    text = module.text[start:end]
    new = _text_without(text, number, Places(module.text).line_end(call.lineno))
    if new is None:
        return None
    edit = smallest(text, new, start)
    return (edit, Replaced(call, new_call)) if not edit.text else None  # nothing is put in


def _text_without(text: str, number: int, newline: str) -> str | None:
    """The text of a call with one argument less; its comma goes with it."""
    import libcst as cst  # slow to load: only for a fix that needs it

    try:
        node = cst.parse_expression(text, cst.PartialParserConfig(default_newline=newline))
    except cst.ParserSyntaxError:
        return None
    module = cst.Module([], default_newline=newline)
    if not isinstance(node, cst.Call) or module.code_for_node(node) != text:
        return None
    kept = [item for at, item in enumerate(node.args) if at != number]
    if kept and number == len(kept):  # what stood last takes its comma, or none, and its white space along
        last = node.args[number]
        kept[-1] = kept[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    return module.code_for_node(node.with_changes(args=kept))


def _tree_with(call: ast.Call, name: str, value: ast.expr) -> ast.Call:
    keywords = list(call.keywords)
    new = ast.keyword(arg=name, value=value)
    at = next((number for number, item in enumerate(keywords) if item.arg == name), None)
    if at is None:
        keywords.append(new)
    else:
        keywords[at] = new
    return ast.Call(func=call.func, args=call.args, keywords=keywords)


def _text_with(text: str, name: str, value: str, newline: str) -> str | None:
    """The text of a call with one more argument at its end."""
    import libcst as cst  # slow to load: only for a fix that needs it

    config = cst.PartialParserConfig(default_newline=newline)
    try:
        node = cst.parse_expression(text, config)
    except cst.ParserSyntaxError:
        return None
    module = cst.Module([], default_newline=newline)
    if not isinstance(node, cst.Call) or module.code_for_node(node) != text:
        return None
    added = cst.Arg(
        keyword=cst.Name(name),
        value=cst.parse_expression(value),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
    )
    return module.code_for_node(node.with_changes(args=_appended(node, added)))


def _appended(call: object, added: object) -> Sequence[object]:
    """The arguments of a call and one more, with the white space that stood between and behind them."""
    import libcst as cst

    if not isinstance(call, cst.Call) or not isinstance(added, cst.Arg):
        raise TypeError("a call and an argument of libcst are expected")
    if not call.args:
        return [added]
    *others, last = call.args
    if isinstance(last.comma, cst.Comma):
        before, after = _around_comma(call.whitespace_before_args, [item.comma for item in others], last.comma)
        return [*others, last.with_changes(comma=before), added.with_changes(comma=after)]
    tail = last.whitespace_after_arg
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    kept = last.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace(""))
    return [*others, kept, added.with_changes(whitespace_after_arg=tail)]


def _around_comma(first: object, commas: Sequence[object], last: object) -> tuple[object, object]:
    """The comma before a new last argument and the one behind it; a comment stays with the argument that it follows.

    first: the space before all arguments. commas: those between the arguments. last: the one behind them.
    """
    import libcst as cst

    if not isinstance(last, cst.Comma):
        raise TypeError("a comma of libcst is expected")
    behind = last.whitespace_after
    between: object = commas[-1].whitespace_after if commas and isinstance(commas[-1], cst.Comma) else first
    if not isinstance(between, cst.ParenthesizedWhitespace):
        between = cst.SimpleWhitespace(" ")
    closing = cst.Comma(whitespace_after=behind)
    if not isinstance(behind, cst.ParenthesizedWhitespace):
        return last.with_changes(whitespace_after=between), closing
    if isinstance(between, cst.ParenthesizedWhitespace):
        indent = between.with_changes(first_line=behind.first_line, empty_lines=[])
    else:
        indent = behind.with_changes(empty_lines=[])
    plain = behind.with_changes(first_line=cst.TrailingWhitespace(newline=behind.first_line.newline))
    return last.with_changes(whitespace_after=indent), closing.with_changes(whitespace_after=plain)


def smallest(old: str, new: str, start: int) -> Edit:
    """The smallest edit that makes one text of another; `start` is where the old one begins."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Edit(start + head, start + len(old) - tail, new[head : len(new) - tail])
