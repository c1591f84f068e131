"""The settings for every file of a run."""

import os
from pathlib import Path

from valhalla_lint.config.files import Stated, load, own_file
from valhalla_lint.config.overrides import Overrides, override
from valhalla_lint.config.problems import ConfigurationError, Problem
from valhalla_lint.core.settings import Settings
from valhalla_lint.facts.patterns import matches


class Configuration:
    """The settings for every file of a run.

    file: the one configuration file to use for all; None looks upward from each file.
    isolated: no file is read at all.
    """

    def __init__(
        self,
        overrides: Overrides | None = None,
        *,
        file: Path | None = None,
        isolated: bool = False,
        base: Path | None = None,
    ) -> None:
        """Nothing is read here. base: the working folder, in which a run without a configuration file is rooted."""
        self.overrides = overrides or Overrides()
        self.file = file
        self.isolated = isolated
        self.base = base or Path.cwd()
        self._files: dict[Path, Path | None] = {}
        self._by_folder: dict[Path, Settings] = {}
        self._by_file: dict[Path | None, Settings] = {}

    def settings_for(self, location: Path | None) -> Settings:
        """The settings for a file (absolute, existing or not); None stands for one without a place.

        Raises ConfigurationError with every mistake of the files involved and of the overrides.
        """
        folder = self.base if location is None else location.parent
        known = self._by_folder.get(folder)
        if known is None:
            known = self._by_folder[folder] = self._settings(self.file_for(location))
        return known

    def file_for(self, location: Path | None) -> Path | None:
        """The configuration file that holds for a file, None where there is none or none may be read."""
        if self.isolated:
            return None
        return self.file or self._nearest(self.base if location is None else location.parent)

    def _nearest(self, folder: Path) -> Path | None:
        """The configuration file of a folder or of those above it; each folder is looked into once."""
        if folder not in self._files:
            above = folder.parent
            self._files[folder] = own_file(folder) or (None if above == folder else self._nearest(above))
        return self._files[folder]

    def locate(self, path: str) -> Path:
        """The absolute place of a path, seen from the working folder."""
        return Path(os.path.normpath(self.base / path))

    def shown(self, location: Path) -> str:
        """How findings show a place: relative to the working folder, POSIX form; absolute where it lies outside."""
        return (location.relative_to(self.base) if location.is_relative_to(self.base) else location).as_posix()

    def excludes(self, location: Path, *, is_folder: bool = False) -> bool:
        """Whether a place is left out: by the configuration that holds for it, or by an option of the host."""
        settings = self.settings_for(location)
        return _fits(settings.exclude, Path(settings.root), location, is_folder=is_folder) or _fits(
            self.overrides.exclude, self.base, location, is_folder=is_folder
        )

    def may_exclude(self, folder: Path) -> bool:
        """Whether anything in a folder may be left out."""
        return bool(self.overrides.exclude or self.settings_for(folder / "any file in it").exclude)

    def in_use(self) -> list[tuple[Path, Settings]]:
        """The configuration files that have been asked so far, with what they gave, sorted."""
        return sorted(
            ((file, settings) for file, settings in self._by_file.items() if file is not None), key=lambda item: item[0]
        )

    @property
    def has_baseline(self) -> bool:
        """Whether any of the settings that have been asked for so far name a baseline."""
        return any(settings.baseline for settings in self._by_file.values())

    def _settings(self, file: Path | None) -> Settings:
        if file not in self._by_file:
            problems: list[Problem] = []
            stated = Stated()
            if file is not None:
                stated = load(file, problems)
            settings = stated.settings(file.parent if file is not None else self.base, isolated=self.isolated)
            settings = override(settings, self.overrides, problems)
            if problems:
                raise ConfigurationError(tuple(problems))
            self._by_file[file] = settings
        return self._by_file[file]


def _fits(patterns: tuple[str, ...], root: Path, location: Path, *, is_folder: bool) -> bool:
    if not patterns or not location.is_relative_to(root):
        return False
    path = location.relative_to(root).as_posix()
    return bool(matches(patterns, f"{path}/" if is_folder else path))
