"""The pages of rules as files, for editors that show a document when they are told to.

The project has no address, and need not have one for that: a page is written from the installed rule when it is wanted.
"""

import stat
from pathlib import Path
from tempfile import TemporaryDirectory

ENDING = ".md"


class PageFiles:
    """A folder of this server's own, made for the first page and gone when the server ends."""

    def __init__(self) -> None:
        """Nothing is written yet."""
        self._folder: TemporaryDirectory[str] | None = None

    def put(self, code: str, page: str) -> str:
        """Write the page of a rule; its address.

        code: of a rule that there is, as it becomes the name of the file. Raises OSError where nothing can be written.
        """
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="valhalla-lint-", ignore_cleanup_errors=True)
        file = Path(self._folder.name) / f"{code}{ENDING}"
        if not file.exists():  # closed by the user, but written before
            file.write_text(page, encoding="utf-8")
            file.chmod(stat.S_IREAD)  # for reading: what is typed into it would lead nowhere
        return file.as_uri()

    def remove(self) -> None:
        """Remove all that was written."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
