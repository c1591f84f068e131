"""What names, values and shapes say by themselves."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from valhalla_lint.facts import providers
from valhalla_lint.facts.minting import mint_secret
from valhalla_lint.facts.providers import CHECK_LENGTH, find, kinds, mint_token, verify
from valhalla_lint.facts.secret_names import judge_name, names_in
from valhalla_lint.facts.strings import is_dummy, is_random, judge, noise


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("password", "password"),
        ("PGPASSWORD", "password"),
        ("new_password1", "password"),
        ("MasterUserPassword", "password"),
        ("apiKey", "key"),
        ("api-key", "key"),
        ("aws.secret_access_key", "key"),
        ("DJANGO_SECRET_KEY", "key"),
        ("clientSecret", "secret"),
        ("hf_token", "token"),
        ("csrfmiddlewaretoken", "token"),
        ("LDAP_BASE_PASS", "password"),
        ("key", "weak"),
    ],
)
def test_names_of_credentials(name: str, kind: str) -> None:
    verdict = judge_name(name)
    assert verdict is not None
    assert verdict.kind == kind


@pytest.mark.parametrize(
    "name",
    """max_tokens pad_token token_id tokenizer next_token token_type token_expired password_field password_hasher
    secret_id API_KEY_ENV sort_key primary_key public_key passed bypass_reason compass_heading api_key_header
    reset_password token_url password_file secret_name mask_token num_tokens hash_password""".split(),
)
def test_names_of_other_things(name: str) -> None:
    assert judge_name(name) is None


def test_names_are_collected_from_code_and_strings() -> None:
    text = "x.clientSecret = 1  # API_KEY\ny = 'db-password: a'\nmax_tokens = 2\npass\nz.key\n"
    assert set(names_in(text, text.lower())) == {"clientSecret", "API_KEY", "db-password"}


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("", "empty"),
        ("$TOKEN", "template"),
        ("{password}", "template"),
        ("********", "mask"),
        ("<your-token>", "template"),
        ("0f8fad5b-d9cb-469f-a165-70867728950e", "uuid"),
        ("/etc/app/secret.key", "path"),
        ("incident/prod/vendor-api-token", "path"),
        ("https://auth.internal/token", "url"),
        ("DATABASE_PASSWORD", "variable"),
        ("settings.auth.password", "dotted name"),
        ("get_password()", "dotted name"),
        (r"[A-Za-z0-9]+\.\w+", "regular expression"),
        ("Please sign in again to continue.", "sentence"),
        ("请输入密码", "sentence"),
        ("abcdefghijklmnopqrstuvwxyz0123456789", "alphabet"),
        ("HS256", "algorithm"),
        ("vault:kv/app#token", "reference"),
        ("client_secret", "vocabulary"),
        ("changeme", "placeholder"),
        ("example-key-123", "placeholder"),
        ("<|endoftext|>", "template"),
        ("12345678", "number"),
        ("hunter2", "numbered word"),
        ("moonlight-42", "numbered word"),
        ("screaming-firehawks", "words"),
        ("s1thrul3s", "mixed"),
        ("greatestQ7xR2vL9pT4wK8zB3nC6dF1", "random"),
        ("-----BEGIN PUBLIC KEY-----", "public key"),
    ],
)
def test_shapes_of_values(value: str, shape: str) -> None:
    assert judge(value).shape == shape


def test_every_judgement_is_the_sum_of_its_reasons() -> None:
    for value in ("hunter2", "abc", mint_secret(40, "a"), "x" * 2_000, "Tq7-vault-Kz9-Rm2x"):
        judgement = judge(value)
        assert judgement.points == sum(reason.points for reason in judgement.reasons)
        assert all(value not in reason.text for reason in judgement.reasons if value)


def test_chance_is_told_from_words() -> None:
    drawn = [mint_secret(24, str(seed)) for seed in range(200)]
    assert sum(map(is_random, drawn)) >= 190
    spoken = ["transformers_configuration_utils", "screaming-firehawks-of-doom", "elasticsearch.client.options"]
    assert not any(map(is_random, spoken))
    assert max(map(noise, spoken)) < 0


def test_at_least_sixty_kinds_each_with_what_to_do() -> None:
    assert len(kinds()) >= 60
    assert all(kind.revoke.startswith("https://") and kind.grants and kind.title for kind in kinds().values())


def every_shape() -> list[tuple[str, int]]:
    return [(kind.name, number) for kind in kinds().values() for number in range(len(kind.shapes))]


@pytest.mark.parametrize(("kind", "shape"), every_shape(), ids=str)
def test_each_shape_is_found_as_its_own_kind(kind: str, shape: int) -> None:
    near = kinds()[kind].near
    for seed in range(5):
        token = mint_token(kind, str(seed), shape)
        found = find(token, near[0] if near else "")
        assert [(item.kind.name, item.start, item.end) for item in found] == [(kind, 0, len(token))]


@pytest.mark.parametrize("kind", [kind.name for kind in kinds().values() if kind.checksum])
def test_checksums(kind: str) -> None:
    token = mint_token(kind, "a")
    assert verify(kinds()[kind], token) is True
    wrong = token[:-CHECK_LENGTH] + mint_secret(CHECK_LENGTH, "b")
    assert [item.verified for item in find(wrong)] == [False]


def test_examples_and_masks_are_no_tokens() -> None:
    assert find("AKIAIOSFODNN7EXAMPLE") == []
    assert find("hf_" + "x" * 34) == []
    assert find("ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789") == []
    assert is_dummy("your-token-goes-here")


def test_the_library_decides_where_it_has_a_detector() -> None:
    asked = {kind.name for kind in kinds().values() if kind.library}
    assert asked == {"artifactory", "discord", "telegram", "sendgrid", "mailchimp", "twilio", "stripe", "square"}
    for kind in kinds().values():
        source = find(mint_token(kind.name, "a"), kind.near[0] if kind.near else "")[0].source
        assert source == ("library" if kind.library else "table")


def takes_nothing() -> list[str]:
    return []


def test_a_fork_under_the_same_import_name_does_not_break_us(monkeypatch: pytest.MonkeyPatch) -> None:
    token = mint_token("sendgrid", "a")
    for fork in (
        ModuleType("detect_secrets.plugins.sendgrid"),
        SimpleNamespace(SendGridDetector=lambda: SimpleNamespace(analyze_string=takes_nothing)),
        None,
    ):
        providers._analyser.cache_clear()  # noqa: SLF001 -- a new process would meet the fork first
        monkeypatch.setitem(sys.modules, "detect_secrets.plugins.sendgrid", fork)
        assert [item.source for item in find(token)] == ["table"]
    providers._analyser.cache_clear()  # noqa: SLF001 -- as above
