"""Dictionaries out of which a credential is read show it when they are shown whole, and only then."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH501",), isolated=True))
CLASS = """
import logging

logger = logging.getLogger(__name__)


class Service:
    def run(self, **kwargs):
        {shown}
        self.check(**kwargs)

    def check(self, **kwargs):
        self.key = kwargs.pop({key!r}, None)
"""
FUNCTION = """
import logging

logger = logging.getLogger(__name__)


def connect(config):
    client = make(config["host"], config["password"])
    {shown}
    return client
"""


def told(text: str) -> list[str]:
    """What is told of a file."""
    return [finding.message for finding in LINTER.check(Source("src/app.py", text))]


@pytest.mark.parametrize("shown", ["logger.debug('called with %s', kwargs)", "print(f'called with {kwargs}')"])
def test_keyword_arguments_of_which_a_method_reads_a_credential(shown: str) -> None:
    assert [item.partition(" ")[0] for item in told(CLASS.format(shown=shown, key="apikey"))] == ["kwargs['apikey']"]
    assert told(CLASS.format(shown=shown, key="colour")) == []


def test_a_record_that_is_shown_whole() -> None:
    assert told(FUNCTION.format(shown="logger.info('connected: %s', config)")) == [
        "config['password'] reaches logger.info()"
    ]


@pytest.mark.parametrize(
    "shown",
    [
        "logger.info('connected: %s', config['host'])",
        "logger.info('connected: %s', len(config))",
        "logger.info('connected: %s', {**config, 'password': '***'})",
        "config.pop('password')\n    logger.info('connected: %s', config)",
        "logger.info('connected: %s', redact(config))",
    ],
)
def test_a_record_without_its_credential(shown: str) -> None:
    assert told(FUNCTION.format(shown=shown)) == []
