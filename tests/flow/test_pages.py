"""Functions of a page: which components hand over what a visitor wrote, and which do not."""

from pathlib import Path

import pytest
from shop import check, codes

PAGE = """
import gradio as gr


def listen(first, second):
    return open(first).read(), second


with gr.Blocks() as page:
    text = gr.Textbox()
    one = {one}
    button = gr.Button()
    button.click({call})
"""


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        ("gr.Textbox()", ["VH201"]),
        ("gr.Dropdown(['a', 'b'], allow_custom_value=True)", ["VH201"]),
        ("gr.Dropdown(['a', 'b'], **more)", ["VH201"]),
        ("gr.Dropdown()", ["VH201"]),
        ("picked.ImagePrompter()", ["VH201"]),
        ("gr.Dropdown(['a', 'b'])", []),
        ("gr.Radio(choices=['a', 'b'])", []),
        ("gr.Audio(type='filepath')", []),
        ("gr.File()", []),
        ("gr.components.Video()", []),
        ("gr.State()", []),
    ],
)
def test_a_visitor_names_no_file_in_what_the_page_takes_in_keeps_or_offers(
    tmp_path: Path, one: str, expected: list[str]
) -> None:
    text = PAGE.format(one=one, call="listen, inputs=[one, text]").replace(
        "import gradio", "import picked\nimport gradio"
    )
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("listen, [one, text]", []),
        ("listen, (one, text)", []),
        ("listen, [text, one]", ["VH201"]),
        ("listen, [one] + [text]", []),
        ("listen, [text] + [one]", ["VH201"]),
        ("listen, [*states, text]", []),
        ("listen, states + [text]", []),
        ("listen, others + [one]", ["VH201"]),
        ("listen, inputs", []),
        ("listen, unknown(one)", ["VH201"]),
        ("listen, ['image', 'text']", []),
        ("listen, [one, text])\n    text.submit(listen, [text, one]", ["VH201"]),
        ("listen, [one, text])\n    text.submit(listen, [one, one]", []),
        ("listen, ['text', 'image']", ["VH201"]),
    ],
)
def test_components_are_matched_with_parameters_by_place(tmp_path: Path, call: str, expected: list[str]) -> None:
    more = (
        "SIDES = 1\n\n\nwith gr.Blocks() as page:\n    states = [gr.State() for _ in range(SIDES)]\n"
        "    others = [gr.State() for _ in many()]\n"
    )
    text = PAGE.format(one="gr.Audio()\n    inputs = [one, text]", call=call)
    assert codes(check(tmp_path, text.replace("with gr.Blocks() as page:\n", more))) == expected


def test_a_package_that_is_imported_where_it_is_there_is_known_by_its_components(tmp_path: Path) -> None:
    text = (
        "def load():\n    import gradio\n    return gradio\n\n\ndef build():\n    gr = load()\n\n"
        "    def listen(first):\n        return open(first).read()\n\n"
        "    one = gr.{kind}()\n    gr.Button().click(listen, one)\n"
    )
    assert codes(check(tmp_path, text.format(kind="Audio"))) == []
    assert codes(check(tmp_path, text.format(kind="Textbox"))) == ["VH201"]
