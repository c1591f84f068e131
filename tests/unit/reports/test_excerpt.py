"""Excerpts show the place and never a credential."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from valhalla_lint.core.span import Span
from valhalla_lint.facts.minting import mint_secret
from valhalla_lint.reports.excerpt import excerpt, without_tokens

RANDOM = mint_secret(32, "excerpt")


def shown(line: str, column: int = 0, end: int | None = None, secrets: tuple[Span, ...] = ()) -> str:
    found = excerpt([line], Span(1, column, 1, len(line) if end is None else end), secrets)
    assert found is not None
    return found.text


def test_the_marks_stand_under_the_place() -> None:
    found = excerpt(["\tif size > 8192:  # 小"], Span(1, 11, 1, 15))
    assert found is not None
    assert found.text == "if size > 8192:  # 小"
    assert found.marks == "          ^^^^"


def test_marks_count_wide_characters_twice() -> None:
    found = excerpt(['name = "小さい" + size'], Span(1, 15, 1, 19))
    assert found is not None
    assert found.marks == " " * 18 + "^^^^"


def test_marks_follow_what_is_masked() -> None:
    line = f'call("{RANDOM}", size)'
    found = excerpt([line], Span(1, line.index("size"), 1, line.index("size") + 4))
    assert found is not None
    assert found.text == 'call("…", size)'
    assert found.marks == "          ^^^^"


def test_what_is_masked_is_masked_wherever_it_stands_on_the_line() -> None:
    word = RANDOM[:9] + "!" + RANDOM[9:12]
    line = f'password = "{word}"  # it was {word} before'
    literal = Span(1, line.index('"'), 1, line.index('"  #') + 1)
    assert shown(line, secrets=(literal,)) == shown(line) == 'password = "…"  # it was … before'


def test_a_long_line_is_cut_around_the_place() -> None:
    line = "x = [" + ", ".join(str(number) for number in range(300)) + "]"
    start = line.index("250")
    found = excerpt([line], Span(1, start, 1, start + 3))
    assert found is not None
    assert len(found.text) < 120
    assert found.text[found.marks.index("^") :].startswith("250")


@pytest.mark.parametrize(("lines", "line"), [([], 1), (["x"], 2), (["   "], 1), (["x" * 5000], 1)])
def test_no_excerpt_where_there_is_nothing_to_show(lines: list[str], line: int) -> None:
    assert excerpt(lines, Span(line, 0, line, 1)) is None


@pytest.mark.parametrize(
    "line",
    [
        'password = "letmein"',
        'password="letmein"  # the letmein one'.replace("letmein one", "old one"),
        "headers['Authorization'] = 'Bearer letmein'",
        'connect(user="bob", db_password="letmein")',
        'token = os.getenv("API_TOKEN", "letmein")',
        'url = "postgres://bob:letmein@host/db"',
        'url = "postgres://bob:a/letmein@host/db"',
        'url = "https://letmein:x-oauth-basic@host/repo.git"',
        'return {"api_key": "letmein"}',
        'if password == "letmein": pass',
        'u = "https://host/items?api_key=letmein&n=1"',
    ],
)
def test_masked_though_no_finding_says_so(line: str) -> None:
    assert "letmein" not in shown(line)


@pytest.mark.parametrize(
    "line", [f'x = "{RANDOM}"', f"# was {RANDOM}", f"call(b'{RANDOM}')", f"  {RANDOM}", f'f"a{RANDOM}b"']
)
def test_what_looks_like_a_token_is_masked_anywhere(line: str) -> None:
    assert RANDOM not in shown(line)


def test_a_short_token_of_small_letters_is_masked_and_a_word_with_a_number_is_not() -> None:
    token = "4k2m9x7q" + "w3e8r5t1"
    assert shown(f'x = AzureKeyCredential("{token}")') == 'x = AzureKeyCredential("…")'
    assert "utf8mb4unicodecollation" in shown('x = "utf8mb4unicodecollation"')


@pytest.mark.parametrize("sign", "/+=")
def test_a_line_of_base64_is_masked_to_its_end(sign: str) -> None:
    rest = mint_secret(15, "the end of a line of a key")
    assert shown(f'    "{RANDOM}{sign}{rest}\\n" +') == '"…\\n" +'


@pytest.mark.parametrize("line", ["u = 'https://{}@host.example/4'", "u = '/api/v1/{}/items'"])
def test_a_key_in_hexadecimal_is_masked_behind_a_slash_too(line: str) -> None:
    key = hashlib.sha256(b"synthetic").hexdigest()[:32]
    assert shown(line.format(key)) == line.format("…")


def test_the_path_of_an_address_with_a_port_is_shown() -> None:
    assert shown("u = 'http://host.example:8080/users/@me'") == "u = 'http://host.example:8080/users/@me'"


def test_what_a_finding_calls_a_secret_is_masked() -> None:
    line = 'CODE = "opensesame"'
    assert shown(line, secrets=(Span(1, 7, 1, len(line)),)) == 'CODE = "…"'
    assert shown(line, secrets=(Span(1, 0, 1, len(line)),)) == 'CODE = "…"'
    assert shown(line) == line


def test_a_secret_over_several_lines_is_masked_on_each() -> None:
    lines = ['KEY = """-----BEGIN', "open sesame", 'last part"""']
    secret = (Span(1, 6, 3, len(lines[2])),)
    for number, line in enumerate(lines, 1):
        found = excerpt(lines, Span(number, 0, number, len(line)), secret)
        assert found is not None
        assert not {"BEGIN", "sesame", "part"} & set(found.text.replace("-", " ").split())


@pytest.mark.parametrize(
    "line",
    [
        'open("/srv/models/llama-3/config.json")',
        'AutoModel.from_pretrained("acme/vision-base", revision="main")',
        "return compute_everything_for_the_second_time_2(model)",
        'config["tokenizer"]',
        'MODEL = "meta-llama/Llama-3.1-8B-Instruct"',
        'AutoTokenizer.from_pretrained("Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4")',
        'load("mistralai/Mixtral-8x7B-Instruct-v0.1", token=TOKEN)',
        'model = "claude-3-5-sonnet-20241022"',
        'author = "Jane Doe"',
        "sha = run()  # noqa: VH301",
    ],
)
def test_ordinary_code_is_shown_as_it_is(line: str) -> None:
    assert shown(line) == line


def test_nothing_that_steers_a_terminal_gets_through() -> None:
    assert shown("x = '\x1b[2J\u202e\ud800'") == r"x = '\x1b[2J\u202e\ud800'"


@given(st.text(max_size=80), st.integers(0, 90), st.integers(0, 90), st.integers(0, 90), st.integers(0, 90))
def test_never_raises(line: str, a: int, b: int, c: int, d: int) -> None:
    found = excerpt([line], Span(1, min(a, b), 1, max(a, b)), (Span(1, min(c, d), 1, max(c, d)),))
    assert found is None or "^" in found.marks


@given(st.text(st.characters(codec="ascii", exclude_characters="\"'\\\n\r"), min_size=5, max_size=40))
def test_a_literal_in_a_secret_span_never_shows(body: str) -> None:
    line = f'value = "{body}"'
    text = shown(line, secrets=(Span(1, 8, 1, len(line)),))
    assert text == 'value = "…"'


def test_of_an_address_only_the_secret_is_masked_whoever_says_that_it_is_one() -> None:
    line = 'DATA_URL = "postgres://bob:letmein@host/db"'
    wanted = line.replace("letmein", "…")
    assert shown(line) == shown(line, secrets=(Span(1, 11, 1, len(line)),)) == without_tokens(line) == wanted


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("https://letmein:x@git.test/a.git", "https://…:…@git.test/a.git"),
        ("https://bob:let@me@in@host/x", "https://bob:…@host/x"),
        ("https://hooks.test/letmein", "…"),
        ("https://letmein@git.test", "…"),
    ],
)
def test_no_part_of_an_address_that_may_be_the_secret_is_shown(address: str, wanted: str) -> None:
    line = f'HOOK = "{address}"'
    assert shown(line, secrets=(Span(1, 7, 1, len(line)),)) == f'HOOK = "{wanted}"'
