"""Is something compiled?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.files import of_class
from valhalla_lint.review.probe import Probe, Reply, yes_if

CALLS = (
    "CUDAExtension",
    "CppExtension",
    "Extension",
    "cythonize",
    "Pybind11Extension",
    "CMakeExtension",
    "RustExtension",
    "load_inline",
)
BACKENDS = ("maturin", "scikit_build_core", "mesonpy", "skbuild", "py_build_cmake", "setuptools_rust")


def ask(facts: Facts) -> Reply:
    """Look at native sources, build scripts and the build back end."""
    found = [
        facts.cite(file.path, note=file.language)
        for file in facts.files
        if file.language and of_class(file.language, "native")
    ]
    for file in facts.python:
        found.extend(
            facts.cite(file.path, call.line, call.last)
            for call in file.calls
            if call.last in CALLS
            and (file.path.endswith("setup.py") or call.last in ("CUDAExtension", "CppExtension", "load_inline"))
        )
    backend = facts.declared.table("build-system").get("build-backend")
    if isinstance(backend, str) and backend.partition(".")[0] in BACKENDS:
        found.append(facts.cite(facts.declared.path("pyproject.toml"), note=backend))
    return yes_if(found, "{n} places", "no native source and no extension in a build script")


PROBE = Probe(
    id="compiled-extensions",
    question="Does the tree hold native sources or build compiled extensions?",
    how="files in compiled languages, extensions in setup.py, build back ends that compile. They were not analysed",
    ask=ask,
)
