"""What a project declares: its name, its dependencies, its tools; read from files, never run."""

import ast
import configparser
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from valhalla_lint.facts.calls import last_name
from valhalla_lint.facts.parse import parse
from valhalla_lint.facts.reading import decode
from valhalla_lint.review.files import File
from valhalla_lint.review.literals import Values, complete
from valhalla_lint.review.masking import masked
from valhalla_lint.review.tree import Tree

RUNTIME, EXTRA, DEVELOPMENT, BUILD, UNTOLD = "runtime", "extra", "development", "build", "untold"
NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)", re.DOTALL)
SEPARATORS = re.compile(r"[-_.]+")
MAX_LINE = 2_000
"""Characters of a line that are read."""
MAX_SEARCHED = 200_000
"""Characters of a project file up to which the line of each requirement is looked for."""
CONF_DEPTH = 3
"""Folders above a Sphinx configuration."""
LONGEST_LICENCE = 200
"""Characters of a licence field; more is a text, not a name."""
DEVELOPMENT_WORDS = frozenset(
    {
        "dev",
        "develop",
        "development",
        "developer",
        "test",
        "tests",
        "testing",
        "lint",
        "linting",
        "linters",
        "doc",
        "docs",
        "documentation",
        "ci",
        "build",
        "type",
        "types",
        "typing",
        "mypy",
        "style",
        "format",
        "formatting",
        "bench",
        "benchmark",
        "benchmarks",
        "example",
        "examples",
        "cov",
        "coverage",
        "qa",
        "quality",
        "notebook",
        "notebooks",
        "profiling",
        "release",
        "tox",
        "nox",
    }
)
"""Words of an extra's or a file's name that say that it serves development."""
MAIN_WORDS = frozenset(
    {
        "requirements",
        "base",
        "main",
        "common",
        "core",
        "prod",
        "production",
        "runtime",
        "install",
        "default",
        "app",
        "in",
        "txt",
    }
)
"""Words of a requirements file's name that say that it serves the product as a whole."""
WORDS = re.compile(r"[a-z0-9]+")
CONDA = re.compile(r"-\s*([A-Za-z0-9._-]+)\s*([<>=!~].*)?")
REQUIREMENT_KEYS = ("install_requires", "extras_require", "setup_requires", "tests_require")
PROJECT_NAMES = ("pyproject.toml", "setup.cfg", "setup.py")
SIDE_WORDS = frozenset(
    {
        "test",
        "tests",
        "testing",
        "e2e",
        "bench",
        "benches",
        "benchmark",
        "benchmarks",
        "example",
        "examples",
        "sample",
        "samples",
        "demo",
        "demos",
        "tutorial",
        "tutorials",
        "doc",
        "docs",
        "script",
        "scripts",
        "tool",
        "tools",
        "fixtures",
        "vendor",
        "ci",
    }
)
"""Words of a folder's name that say that a project below it is none of the product's own."""
ITSELF = re.compile(r"^[ \t]*(?:(?:-e|--editable)[ \t=]+)?\.(?:/|\[[^\]\n]*\])?[ \t]*(?:#.*)?$", re.MULTILINE)
"""A line of a requirements file that installs the project itself."""
EXACT = re.compile(r"^\s*={2,3}\s*[^*,;]+$")
UPPER = re.compile(r"<|~=|={2,3}")
LOWER = re.compile(r">|~=|={2,3}")
TOOL_FILES = {
    "ruff": ("ruff.toml", ".ruff.toml"),
    "flake8": (".flake8",),
    "pylint": (".pylintrc", "pylintrc"),
    "mypy": ("mypy.ini", ".mypy.ini"),
    "pyright": ("pyrightconfig.json",),
    "pyrefly": ("pyrefly.toml",),
    "ty": ("ty.toml",),
    "yapf": (".style.yapf",),
    "isort": (".isort.cfg",),
    "pre-commit": (".pre-commit-config.yaml", ".pre-commit-config.yml"),
    "coverage": (".coveragerc",),
    "pytest": ("pytest.ini",),
    "tox": ("tox.ini",),
    "nox": ("noxfile.py",),
    "readthedocs": (".readthedocs.yaml", ".readthedocs.yml"),
    "sphinx": ("docs/conf.py", "doc/conf.py", "docs/source/conf.py", "doc/source/conf.py"),
    "mkdocs": ("mkdocs.yml", "mkdocs.yaml", "docs/mkdocs.yml"),
    "dependabot": (".github/dependabot.yml", ".github/dependabot.yaml"),
    "renovate": ("renovate.json", ".github/renovate.json", "renovate.json5", ".github/renovate.json5"),
    "editorconfig": (".editorconfig",),
    "bandit": (".bandit",),
}
"""Tools and the files that configure them; `[tool.x]` in pyproject.toml and sections of setup.cfg count too."""
SECTIONS = {
    "flake8": "flake8",
    "mypy": "mypy",
    "tool:pytest": "pytest",
    "isort": "isort",
    "pylint": "pylint",
    "coverage:run": "coverage",
    "yapf": "yapf",
    "pycodestyle": "pycodestyle",
    "pytest": "pytest",
}


@dataclass(frozen=True, slots=True, order=True)
class Requirement:
    """One declared dependency; name normalised as PEP 503 says. line: 0 where the format does not tell."""

    name: str
    specifier: str
    group: str
    path: str
    line: int = 0
    label: str = ""

    @property
    def pinned(self) -> bool:
        """Whether exactly one version fits."""
        return bool(EXACT.match(self.specifier.partition(";")[0]))

    @property
    def bounded_above(self) -> bool:
        """Whether some later version is excluded."""
        return bool(UPPER.search(self.specifier.partition(";")[0]))

    @property
    def bounded_below(self) -> bool:
        """Whether some earlier version is excluded."""
        return bool(LOWER.search(self.specifier.partition(";")[0]))

    @property
    def direct(self) -> bool:
        """Whether it names a place instead of a version."""
        return self.specifier.lstrip().startswith("@") or "://" in self.specifier


@dataclass(frozen=True)
class Declared:
    """What the project files say.

    unread: project files that could not be understood, with the reason.
    dynamic: files whose dependencies are computed by code and so not known here.
    own: names of all projects and compiled modules that the tree's project files make, normalised.
    """

    requirements: tuple[Requirement, ...] = ()
    pyproject: Mapping[str, object] = field(default_factory=dict)
    folder: str = ""
    setup: Mapping[str, object] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    version: str = ""
    licence: str = ""
    classifiers: tuple[str, ...] = ()
    requires_python: str = ""
    scripts: tuple[tuple[str, str, str], ...] = ()
    own: frozenset[str] = frozenset()
    unread: tuple[tuple[str, str], ...] = ()
    dynamic: tuple[str, ...] = ()

    def path(self, name: str) -> str:
        """The path of a file beside the project files that speak for the project."""
        return f"{self.folder}/{name}" if self.folder else name

    def table(self, *keys: str) -> Mapping[str, object]:
        """A table of the top pyproject.toml, empty where there is none."""
        return _table(self.pyproject, *keys)

    @cached_property
    def names(self) -> frozenset[str]:
        """All declared distributions."""
        return frozenset(item.name for item in self.requirements)

    def of(self, *groups: str) -> tuple[Requirement, ...]:
        """The requirements of some groups."""
        return tuple(item for item in self.requirements if item.group in groups)


def normal(name: str) -> str:
    """A distribution's name as PEP 503 normalises it."""
    return SEPARATORS.sub("-", name).lower()


def for_development(name: str) -> bool:
    """Whether the name of an extra, group or file says that it serves development."""
    return not DEVELOPMENT_WORDS.isdisjoint(WORDS.findall(name.lower()))


def aside(folder: str) -> bool:
    """Whether a folder's name says that a project in it serves tests, examples, benchmarks or documentation."""
    return not SIDE_WORDS.isdisjoint(WORDS.findall(folder.lower()))


def requirement(text: str, group: str, path: str, line: int = 0, label: str = "") -> Requirement | None:
    """One requirement from its text (PEP 508 in the parts that matter here), None where it is none."""
    match = NAME.match(text)
    if not match:
        return None
    rest = match[2].strip()
    if rest and rest[0] not in "<>=!~;@(,":
        return None
    specifier = masked(rest.strip("() ") if rest.startswith("(") else rest)
    return Requirement(normal(match[1]), specifier, group, path, line, label)


def _table(value: object, *keys: str) -> Mapping[str, object]:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []


def declared(tree: Tree, files: Sequence[File]) -> Declared:
    """Read all project files of a tree; the top pyproject.toml, setup.cfg and setup.py speak for the project."""
    reader = _Reader(tree, files)
    reader.read()
    return reader.result()


class _Reader:
    """Collects while reading; `result` freezes it."""

    def __init__(self, tree: Tree, files: Sequence[File]) -> None:
        self._tree = tree
        self._files = files
        self._paths = {file.path: file for file in files}
        self._texts: dict[str, str] = {}
        self._requirements: list[Requirement] = []
        self._unread: list[tuple[str, str]] = []
        self._dynamic: list[str] = []
        self._tools: dict[str, str] = {}
        self._pyproject: Mapping[str, object] = {}
        self._setup: dict[str, object] = {}
        self._config: configparser.ConfigParser | None = None
        self._names: set[str] = set()
        places = [file.entry.folder for file in files if file.entry.name in PROJECT_NAMES]
        self._folder = min(
            places, key=lambda folder: (aside(folder), folder.count("/") + bool(folder), folder), default=""
        ).lower()
        """The folder of the project files nearest to the top, tests and examples last: they speak for the project."""

    def _path(self, name: str) -> str:
        return next((path for path in self._paths if path.rpartition("/")[2] == name and self._speaks(path)), name)

    def _speaks(self, path: str) -> bool:
        return path.rpartition("/")[0].lower() == self._folder

    def _text(self, path: str) -> str:
        if path not in self._texts:
            file = self._paths.get(path)
            data = self._tree.read(file.entry) if file else None
            self._texts[path] = decode(data).text if data is not None else ""
        return self._texts[path]

    def read(self) -> None:
        metadata = sorted(
            (file for file in self._files if file.entry.name.lower() in PROJECT_NAMES),
            key=lambda file: not self._speaks(file.path),
        )
        for file in (*metadata, *(file for file in self._files if file not in metadata)):
            name = file.entry.name.lower()
            if name == "pyproject.toml":
                self._read_pyproject(file.path)
            elif name == "setup.cfg":
                self._read_setup_cfg(file.path)
            elif name == "setup.py":
                self._read_setup_py(file.path)
            elif "dependencies" in file.kinds and name.endswith((".txt", ".in")):
                self._read_requirements(file.path)
            elif name == "pipfile":
                self._read_pipfile(file.path)
            elif "dependencies" in file.kinds and name.endswith((".yml", ".yaml")):
                self._read_conda(file.path)
        for tool, names in TOOL_FILES.items():
            bases = ("", f"{self._folder}/") if self._folder else ("",)
            found = next((base + name for base in bases for name in names if base + name in self._paths), "")
            if found:
                self._tools.setdefault(tool, found)
        for file in self._files:
            if (
                file.entry.name == "conf.py"
                and file.path.count("/") <= CONF_DEPTH
                and "sphinx" not in self._tools
                and "extensions" in self._text(file.path)
            ):
                self._tools["sphinx"] = file.path

    def _add(self, texts: Sequence[str], group: str, path: str, label: str = "", lines: Sequence[int] = ()) -> None:
        for number, text in enumerate(texts):
            line = lines[number] if number < len(lines) else self._line(path, text)
            if (found := requirement(text, group, path, line, label)) is not None:
                self._requirements.append(found)

    def _line(self, path: str, text: str) -> int:
        """The first line that holds the text, 0 where none does or the file is too large to be searched each time."""
        whole = self._text(path)
        place = whole.find(text) if len(whole) <= MAX_SEARCHED else -1
        return whole.count("\n", 0, place) + 1 if place >= 0 else 0

    def _read_pyproject(self, path: str) -> None:
        try:
            data = tomllib.loads(self._text(path).replace("\r\n", "\n"))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            self._unread.append((path, f"is not TOML: {error}"))
            return
        if self._speaks(path):
            self._pyproject = data
        if not aside(path.rpartition("/")[0]):
            for tool in _table(data, "tool"):
                self._tools.setdefault(tool, path)
        project = _table(data, "project")
        self._names.update(_strings(project.get("name")))
        self._add(_strings(project.get("dependencies")), RUNTIME, path)
        for extra, items in _table(project, "optional-dependencies").items():
            group = DEVELOPMENT if for_development(extra) else EXTRA
            self._add(_strings(items), group, path, extra)
        for label, items in _table(data, "dependency-groups").items():
            self._add(_strings(items), DEVELOPMENT, path, label)
        self._add(_strings(_table(data, "build-system").get("requires")), BUILD, path)
        for label, items in _table(data, "tool", "hatch", "envs").items():
            self._add(_strings(_table(items).get("dependencies")), DEVELOPMENT, path, label)
        self._add(_strings(_table(data, "tool", "uv").get("dev-dependencies")), DEVELOPMENT, path)
        for label, items in _table(data, "tool", "pdm", "dev-dependencies").items():
            self._add(_strings(items), DEVELOPMENT, path, label)
        if "dependencies" in _strings(project.get("dynamic")):
            self._dynamic.append(path)
        self._poetry(path, _table(data, "tool", "poetry"))

    def _poetry(self, path: str, poetry: Mapping[str, object]) -> None:
        self._names.update(_strings(poetry.get("name")))
        groups = [
            (RUNTIME, "", _table(poetry, "dependencies")),
            (DEVELOPMENT, "dev", _table(poetry, "dev-dependencies")),
        ]
        groups.extend(
            (DEVELOPMENT, label, _table(poetry, "group", label, "dependencies")) for label in _table(poetry, "group")
        )
        for group, label, items in groups:
            for name, value in items.items():
                version = value if isinstance(value, str) else str(_table(value).get("version", ""))
                optional = bool(_table(value).get("optional"))
                if normal(name) == "python":
                    continue
                specifier = _caret(version)
                self._requirements.append(
                    Requirement(
                        normal(name), specifier, EXTRA if optional else group, path, self._line(path, name), label
                    )
                )

    def _read_setup_cfg(self, path: str) -> None:
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        try:
            parser.read_string(self._text(path))
        except configparser.Error as error:
            self._unread.append((path, f"is no configuration file: {type(error).__name__}"))
            return
        self._names.add(parser.get("metadata", "name", fallback=""))
        if self._speaks(path):
            self._config = parser
            for section, tool in SECTIONS.items():
                if parser.has_section(section):
                    self._tools.setdefault(tool, path)
        self._add(_lines(parser.get("options", "install_requires", fallback="")), RUNTIME, path)
        for section in ("options.extras_require", "extras"):  # the second is read by pbr
            for extra, text in parser.items(section) if parser.has_section(section) else ():
                self._add(_lines(text), DEVELOPMENT if for_development(extra) else EXTRA, path, extra)

    def _read_setup_py(self, path: str) -> None:
        tree = parse(self._text(path)).tree
        values = Values(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            if last_name(node.func).endswith("Extension"):
                named = [values.value(node.args[0])] if node.args else [dict(values.keywords(node)).get("name")]
                self._names.update(name for name in named if isinstance(name, str))
            if last_name(node.func) != "setup":
                continue
            for key, value in values.keywords(node):
                if key == "name" and isinstance(value, str):
                    self._names.add(value)
                if key in (*REQUIREMENT_KEYS, "**") and not complete(value):
                    self._dynamic.append(path)
                if key in REQUIREMENT_KEYS:
                    self._setup_requirements(path, key, value)
                elif self._speaks(path) and complete(value):
                    self._setup[key] = value

    def _setup_requirements(self, path: str, key: str, literal: object) -> None:
        match key:
            case "install_requires":
                self._add(_strings(literal), RUNTIME, path)
            case "extras_require":
                for extra, items in _table(literal).items():
                    self._add(_strings(items), DEVELOPMENT if for_development(str(extra)) else EXTRA, path, str(extra))
            case "setup_requires":
                self._add(_strings(literal), BUILD, path)
            case _:
                self._add(_strings(literal), DEVELOPMENT, path)

    def _read_requirements(self, path: str) -> None:
        stem = path.rpartition("/")[2].rpartition(".")[0]
        label = re.sub(r"requirements|[-_.]", "", stem, flags=re.IGNORECASE) or stem
        group = self._group_of(path, stem)
        for number, line in enumerate(self._text(path).split("\n"), 1):
            text = re.split(r"(?:^|\s)#", line[:MAX_LINE])[0].strip().rstrip("\\").strip()
            text = re.split(r"\s--?[a-z]", text)[0]
            if not text or text.startswith("-"):
                continue
            if (found := requirement(text, group, path, number, label)) is not None:
                self._requirements.append(found)

    def _group_of(self, path: str, stem: str) -> str:
        """Whom a requirements file serves."""
        folder = path.rpartition("/")[0].lower()
        near = folder == self._folder or folder.rpartition("/")[2] == "requirements"
        if for_development(path):
            return DEVELOPMENT
        if stem.lower().startswith("constraints") or not near:
            return UNTOLD  # requirements of an example or of one part
        stated = any(item.group == RUNTIME and item.path.endswith(PROJECT_NAMES) for item in self._requirements)
        if stated and ITSELF.search(self._text(path)):
            return DEVELOPMENT  # it adds to what the metadata declares
        return RUNTIME if set(WORDS.findall(stem.lower())) <= MAIN_WORDS or not stated else EXTRA

    def _read_pipfile(self, path: str) -> None:
        try:
            data = tomllib.loads(self._text(path))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            self._unread.append((path, f"is not TOML: {error}"))
            return
        for key, group in (("packages", RUNTIME), ("dev-packages", DEVELOPMENT)):
            for name, value in _table(data, key).items():
                version = value if isinstance(value, str) else str(_table(value).get("version", ""))
                self._requirements.append(
                    Requirement(normal(name), "" if version == "*" else version, group, path, self._line(path, name))
                )

    def _read_conda(self, path: str) -> None:
        """Plain `- name=version` items below `dependencies:`; a YAML reader is not needed for these."""
        inside = False
        for number, line in enumerate(self._text(path).split("\n"), 1):
            if re.match(r"dependencies\s*:", line):
                inside = True
            elif inside and (match := CONDA.fullmatch(line.partition("#")[0].strip())):
                name = normal(match[1])
                if name not in ("python", "pip"):
                    specifier = re.sub(r"^=(?!=)", "==", (match[2] or "").strip())
                    self._requirements.append(Requirement(name, specifier, UNTOLD, path, number))
            elif inside and line and not line[0].isspace() and not line.startswith(("-", "#")):
                inside = False

    def result(self) -> Declared:
        project = _table(self._pyproject, "project")
        poetry = _table(self._pyproject, "tool", "poetry")
        config = self._config

        def say(key: str, section: str = "metadata", other: str = "") -> str:
            for value in (
                project.get(key),
                poetry.get(key),
                config.get(section, other or key, fallback=None) if config else None,
                self._setup.get(other or key),
            ):
                if isinstance(value, str) and value.strip():
                    return value.strip()
            return ""

        licence = project.get("license")
        if isinstance(licence, Mapping):
            licence = licence.get("text") if isinstance(licence.get("text"), str) else ""
        classifiers = (
            _strings(project.get("classifiers"))
            or _strings(poetry.get("classifiers"))
            or _strings(self._setup.get("classifiers"))
        )
        if config and not classifiers:
            classifiers = _lines(config.get("metadata", "classifiers", fallback=""))
        return Declared(
            requirements=tuple(sorted(set(self._requirements))),
            pyproject=self._pyproject,
            folder=self._folder,
            setup=self._setup,
            tools=dict(sorted(self._tools.items())),
            name=say("name"),
            version=say("version"),
            licence=licence.strip()
            if isinstance(licence, str) and len(licence) < LONGEST_LICENCE
            else say("license")
            if len(say("license")) < LONGEST_LICENCE
            else "",
            classifiers=tuple(classifiers),
            requires_python=say("requires-python", "options", "python_requires")
            or str(_table(poetry, "dependencies").get("python", "")),
            scripts=tuple(sorted(self._scripts(project, poetry))),
            own=frozenset(normal(name.partition(".")[0]) for name in self._names if name),
            unread=tuple(sorted(self._unread)),
            dynamic=tuple(sorted(set(self._dynamic))),
        )

    def _scripts(self, project: Mapping[str, object], poetry: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
        for source, kind in ((project, "scripts"), (project, "gui-scripts"), (poetry, "scripts")):
            for name, target in _table(source, kind).items():
                if isinstance(target, str):
                    yield name, target, self._path("pyproject.toml")
        points = self._setup.get("entry_points")
        lines = _strings(_table(points).get("console_scripts")) if isinstance(points, Mapping) else []
        for line in lines:
            name, _, target = line.partition("=")
            yield name.strip(), target.strip(), self._path("setup.py")
        if self._config is not None:
            for line in (
                *_lines(self._config.get("options.entry_points", "console_scripts", fallback="")),
                *_lines(self._config.get("entry_points", "console_scripts", fallback="")),  # read by pbr
            ):
                name, _, target = line.partition("=")
                yield name.strip(), target.strip(), self._path("setup.cfg")


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip() and not line.strip().startswith("#")]


def _caret(version: str) -> str:
    """Poetry's version: a caret or tilde bounds above and below; a bare version is exact."""
    text = version.strip()
    if text in ("", "*"):
        return ""
    if text[0] in "^~" and not text.startswith("~="):
        return f"~={text[1:]}"
    return f"=={text}" if text[0].isdigit() and "," not in text and "*" not in text else text
