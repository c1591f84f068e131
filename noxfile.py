"""Everything one can do here. Sessions run in the current environment: what was installed is what is tested."""

import sys

import nox

nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "types", "imports", "tests", "docs"]


def run(session: nox.Session, module: str, *arguments: str) -> None:
    """Run a module with this interpreter, without the current folder on the path: the installed package counts."""
    session.run(sys.executable, "-P", "-m", module, *arguments, external=True)


@nox.session
def tests(session: nox.Session) -> None:
    """All quick tests; arguments go to pytest."""
    run(session, "pytest", *session.posargs)


@nox.session
def rules(session: nox.Session) -> None:
    """The examples of the rules only; `-- VH301` for one rule."""
    run(session, "pytest", "tests/rules", *(("-k", session.posargs[0]) if session.posargs else ()))


@nox.session
def e2e(session: nox.Session) -> None:
    """The slow tests: other programs, built wheels, editors."""
    run(session, "pytest", "-m", "slow", *session.posargs)


@nox.session
def types(session: nox.Session) -> None:
    """Strict types."""
    run(session, "mypy", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Style, format, pages that are up to date, and our own linter on ourselves; `-- fix` mends style and format."""
    if "fix" in session.posargs:
        run(session, "ruff", "check", "--fix", ".")
        run(session, "ruff", "format", ".")
        return
    run(session, "ruff", "check", ".")
    run(session, "ruff", "format", "--check", ".")
    session.run(sys.executable, "docs/generate.py", "--check", external=True)
    run(session, "valhalla_lint", "check", ".")


@nox.session
def imports(session: nox.Session) -> None:
    """The floors of the house."""
    session.run(sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", external=True)


@nox.session
def generate(session: nox.Session) -> None:
    """Renew what is made from the rules; `-- --check` only compares."""
    session.run(sys.executable, "docs/generate.py", *session.posargs, external=True)


@nox.session
def docs(session: nox.Session) -> None:
    """The pages; a warning fails, an unknown reference too."""
    run(session, "sphinx", "-n", "-W", "--keep-going", "-b", "html", "docs", "docs/_build/html")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed beside other tools; arguments go to the benchmark (`-- --corpus small --rounds 3`)."""
    session.run(sys.executable, "-m", "benchmarks", *session.posargs, external=True)
