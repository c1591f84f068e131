"""VH204 archive-traversal."""

import ast
from collections.abc import Iterator
from enum import Enum

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.flow import FlowQuery
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.archive_names import unpacked
from valhalla_lint.facts.archives import MEMBER_LISTS, NAME_LISTS, archive, member_variable
from valhalla_lint.facts.calls import (
    RUNNERS,
    Arguments,
    arguments,
    called,
    calls_named,
    calls_to,
    imports_any,
    last_name,
)
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.files import opened
from valhalla_lint.facts.mending.calls import extraction_can_be_mended, handed_on
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.name_checks import (
    Proof,
    after,
    body_proof,
    cleans,
    derived,
    is_guard_name,
    local_function,
    mentions,
    proved,
)
from valhalla_lint.facts.reaching import alike, values_at
from valhalla_lint.facts.versions import declared

EXTRACT = frozenset({"extractall", "extract", "_extract_member"})
UNPACK = frozenset({"unpack_archive"})
HANDING_ON = frozenset(RUNNERS)
SHUTIL, TARFILE = frozenset({"shutil"}), frozenset({"tarfile"})
LISTS = MEMBER_LISTS | NAME_LISTS
SAFE_PYTHON = (3, 14)
"""The Python whose tar extraction filters by default (PEP 706)."""
SAFE_FILTERS = frozenset({"data", "tar"})
SAFE_FILTER_FUNCTIONS = frozenset({"tarfile.data_filter", "tarfile.tar_filter"})

UNFILTERED = (
    "{call}() of a tar archive without a filter: members named '../x' or '/x', and links, write outside the target"
)
TRUSTED = "{call}() with the filter {filter} lets members named '../x' or '/x', and links, write outside the target"
OWN_FILTER = "{call}() with the filter {filter}, which checks no name: '../x' and '/x' write outside the target"
UNREAD_FILTER = "{call}() with the filter {filter}, whose body was not read: does it refuse '../x', '/x' and links?"
PARTLY = "{call}() of tar members that are checked for {checked} only: {hole} still writes outside the target"
UNPACKED = "unpack_archive() without a filter: members of a tar archive named '../x' or '/x' write outside the target"
BY_HAND = "the archive member's name {name} is joined to a folder unchecked: '../x' and '/x' write outside of it"
OF_ANY_KIND = (
    'pass filter="data" where it is a tar archive (with a zip archive it raises TypeError, and shutil leaves out what '
    'climbs by itself), or take one kind only, such as format="zip"'
)
ASK = "resolve the joined path and write there only if it `is_relative_to` the folder"
MAX_DEPTH = 5
"""How many assignments are followed from a written path to the join that made it."""
MAX_SHOWN = 60
"""Characters of an expression that a message shows."""


class Filter(Enum):
    """What the filter argument does."""

    ABSENT = "absent"
    SAFE = "safe"
    OFF = "off"
    OWN = "own, without a check"
    UNKNOWN = "unknown"


def check(module: Module, options: None) -> Iterator[Hit]:
    for call in calls_named(module, EXTRACT):
        if isinstance(call.func, ast.Attribute):
            yield from _extraction(module, call, call.func, arguments(module, call))
    for call in calls_named(module, HANDING_ON):
        yield from _handed_on(module, call)
    if imports_any(module, SHUTIL):
        for call in calls_to(module, UNPACK | HANDING_ON):
            yield from _unpacking(module, call)
    if not LISTS.isdisjoint(module.calls) or imports_any(module, TARFILE):
        yield from _by_hand(module)


def _handed_on(module: Module, call: ast.Call) -> Iterator[Hit]:
    """An extraction that is handed to what runs it (`asyncio.to_thread(tar.extractall, target)`)."""
    at = RUNNERS[last_name(call.func)]
    given = arguments(module, call)
    match given.positional[at : at + 1]:
        case (ast.Attribute(attr=attr) as function,) if attr in EXTRACT:
            given = given._replace(positional=given.positional[at + 1 :])
            yield from _extraction(module, call, function, given)
        case _:
            pass


def _extraction(module: Module, call: ast.Call, function: ast.Attribute, given: Arguments) -> Iterator[Hit]:
    opened_as = archive(module, function.value)
    if opened_as is None or not opened_as.tar or (opened_as.zip and _is_zip_here(module, call)):
        return
    kind, shown = _filter(module, given)
    if kind is Filter.SAFE or (kind is Filter.ABSENT and _filtered_elsewhere(module, call, function.value)):
        return
    proof = _members(module, call, given, function)
    if proof is Proof.INSIDE:
        return
    values: dict[str, object] = {"call": function.attr, "filter": shown}
    message = {Filter.OFF: TRUSTED, Filter.OWN: OWN_FILTER}.get(kind, UNFILTERED)
    if kind is Filter.UNKNOWN and shown:
        message = UNREAD_FILTER
    if proof and kind is not Filter.OWN:
        message, values = PARTLY, values | _partly(proof)
    sure = kind is Filter.OFF or declared(module.project).python is not None
    confidence = Confidence.HIGH if sure and not (opened_as.guessed or opened_as.zip or proof) else Confidence.MEDIUM
    quiet = opened_as.constant or kind is Filter.UNKNOWN or _is_fallback(module, call)
    yield Hit(
        at=call,
        message=message,
        values=values,
        confidence=Confidence.LOW if quiet else confidence,
        audit=quiet,
        mends=extraction_can_be_mended(module, call),
    )


def _partly(proof: Proof) -> dict[str, object]:
    if proof is Proof.NO_DOTS:
        return {"checked": "'..'", "hole": "the absolute name '/x'"}
    return {"checked": "absolute names", "hole": "'../x'"}


def _filter(module: Module, given: Arguments) -> tuple[Filter, str]:
    """What the filter of an extraction does; of several that may be given, the worst."""
    value = given.get("filter")
    if value is None:
        return (Filter.UNKNOWN if given.unknown("filter") else Filter.ABSENT), ""
    kinds = [_one_filter(module, item) for item in _alternatives(module, value)]
    for kind in (Filter.OFF, Filter.OWN, Filter.ABSENT, Filter.UNKNOWN):
        if kind in kinds:
            return kind, module.segment(value)[:MAX_SHOWN]
    return Filter.SAFE, ""


def _alternatives(module: Module, value: ast.expr) -> list[ast.expr]:
    match value:
        case ast.IfExp(body=first, orelse=second):
            return [first, second]
        case ast.Name():
            reaching = values_at(module, value)
            return list(reaching) if reaching and not isinstance(reaching[0], ast.Lambda) else [value]
        case _:
            return [value]


def _one_filter(module: Module, value: ast.expr) -> Filter:
    constant = module.constant(value)
    if constant is None:
        return Filter.ABSENT
    if constant is not MISSING:
        return (
            Filter.SAFE if constant in SAFE_FILTERS else Filter.OFF if constant == "fully_trusted" else Filter.UNKNOWN
        )
    name = module.name(value)
    if name is not None and name.startswith("tarfile."):
        return Filter.SAFE if name in SAFE_FILTER_FUNCTIONS else Filter.OFF
    if isinstance(value, ast.Call):  # made of other filters: `partial(…)`, a composition
        given = [*value.args, *(keyword.value for keyword in value.keywords)]
        safe = any(module.name(item) in SAFE_FILTER_FUNCTIONS for item in given)
        return Filter.SAFE if safe else Filter.UNKNOWN
    body: ast.AST | None = value if isinstance(value, ast.Lambda) else local_function(module, value)
    if body is None:
        return Filter.UNKNOWN
    filters = any(isinstance(node, ast.Attribute | ast.Name) and last_name(node) in ("data_filter", "tar_filter")
                  for node in ast.walk(body))  # fmt: skip
    return Filter.SAFE if filters or body_proof(body) is Proof.INSIDE or _renames(body) else Filter.OWN


def _renames(body: ast.AST) -> bool:
    """Whether a filter gives every member the base of its name."""
    return any(isinstance(node, ast.expr) and cleans(node) for node in ast.walk(body))


def _filtered_elsewhere(module: Module, call: ast.Call, receiver: ast.expr) -> bool:
    """Whether the project's Python filters by itself, or `extraction_filter` is set on the archive or its class."""
    if declared(module.project).rules_out("python", SAFE_PYTHON):
        return True
    for node in module.nodes(ast.Assign) if "extraction_filter" in module.text else ():
        for target in node.targets:
            if not isinstance(target, ast.Attribute) or target.attr != "extraction_filter":
                continue
            on_class = (module.name(target.value) or "").endswith("TarFile")
            same = alike(target.value) == alike(receiver) and module.function(node) is module.function(call)
            if on_class or same:
                return True
    return False


def _is_zip_here(module: Module, call: ast.Call) -> bool:
    """Whether a condition around a call says that the archive is no tar archive."""
    below: ast.AST = call
    for above in module.ancestors(call):
        if isinstance(above, ast.If) and below is not above.test:
            said = {last_name(node) for node in ast.walk(above.test) if isinstance(node, ast.Attribute | ast.Name)}
            held = below in above.body
            if (said & {"is_zipfile", "ZipFile"} and held) or (said & {"is_tarfile", "TarFile"} and not held):
                return True
        below = above
    return False


def _is_fallback(module: Module, call: ast.Call) -> bool:
    """Whether the call is what is left for Pythons that know no filter: an else, or after a TypeError."""
    below: ast.AST = call
    for above in module.ancestors(call):
        match above:
            case ast.If(test=test) if below is not test:
                parts = {node.value for node in ast.walk(test) if isinstance(node, ast.Constant)}
                parts |= {last_name(node) for node in ast.walk(test) if isinstance(node, ast.Attribute | ast.Name)}
                if parts & {"data_filter", "version_info", "extraction_filter", "tar_filter"}:
                    return True
            case ast.ExceptHandler(type=ast.expr() as caught):
                if "TypeError" in {last_name(node) for node in ast.walk(caught) if isinstance(node, ast.Name)}:
                    return True
        below = above
    return False


def _members(module: Module, call: ast.Call, given: Arguments, function: ast.Attribute) -> Proof:
    """What is proved about the members that a call extracts."""
    scope = module.scopes.scope(call)
    if function.attr == "extractall":
        members = given.get("members", 1)
        if members is None or module.constant(members) is None:
            return _checked_in_loop(module, call, function.value, scope)
        return _chosen(module, members, scope) | _checked_in_loop(module, call, function.value, scope)
    member = given.get("member", 0)
    if member is None or module.constant(member) is not MISSING:
        return Proof.INSIDE  # a constant member is the author's own
    roots = frozenset(node.id for node in ast.walk(member) if isinstance(node, ast.Name))
    if cleans(member) or _chosen_here(module, member):
        return Proof.INSIDE
    return proved(module, call, derived(_loop_around(module, call, scope), roots)) | _checked_in_loop(
        module, call, function.value, scope
    )


def _chosen_here(module: Module, member: ast.expr) -> bool:
    """Whether the program itself names the member: a text, or a loop over constants."""
    if isinstance(member, ast.JoinedStr | ast.BinOp):
        return True
    if not isinstance(member, ast.Name):
        return False
    reaching = values_at(module, member)
    if reaching is not None:
        return all(isinstance(value, ast.JoinedStr | ast.BinOp | ast.Constant) for value in reaching)
    scope = module.scopes.binding_scope(member, member.id)
    nodes = module.scopes.bindings(scope).get(member.id, []) if scope is not None else []
    loops = [module.parent(node) for node in nodes]
    return bool(loops) and all(
        isinstance(loop, ast.For) and module.constant(loop.iter) is not MISSING for loop in loops
    )


def _chosen(module: Module, members: ast.expr, scope: ast.AST) -> Proof:
    """What is proved about the members that are handed to `extractall(members=...)`."""
    match members:
        case ast.List(elts=[]) | ast.Tuple(elts=[]):
            return Proof.INSIDE
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            names = frozenset(node.id for item in elements for node in ast.walk(item) if isinstance(node, ast.Name))
            return proved(module, members, derived(_loop_around(module, members, scope), names))
        case ast.ListComp(generators=[generator], elt=element) | ast.GeneratorExp(generators=[generator], elt=element):
            if member_variable(module, generator) is None:
                return Proof.NOTHING
            names = frozenset({generator.target.id}) if isinstance(generator.target, ast.Name) else frozenset[str]()
            return proved(module, element, names)
        case ast.Call(func=function) if last_name(function) in ("getmembers", "list", "iter"):
            return Proof.NOTHING
        case ast.Call(func=function):
            helper = local_function(module, function)
            if helper is not None:
                return Proof.INSIDE if body_proof(helper) else Proof.NOTHING
            return Proof.INSIDE  # chosen elsewhere
        case ast.Name(id=name):
            if archive(module, members) is not None:
                return Proof.NOTHING
            collected = _collected(module, name, scope)
            return _chosen_before(module, members, scope) if collected is None else collected
        case _:
            return Proof.NOTHING


def _chosen_before(module: Module, members: ast.Name, scope: ast.AST) -> Proof:
    reaching = values_at(module, members)
    if reaching is None:
        return Proof.NOTHING
    proofs = [_chosen(module, item, scope) for item in reaching if not isinstance(item, ast.Name)]
    return min(proofs, key=lambda proof: proof.value, default=Proof.NOTHING)


def _collected(module: Module, name: str, scope: ast.AST) -> Proof | None:
    """What is proved where members are collected into a list (`members.append(member)`), None where none are."""
    found: Proof | None = None
    for node in module.calls.get("append", ()):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner)), args=[ast.Name(id=member)]) if owner == name:
                if module.scopes.scope(node) is scope:
                    proof = proved(module, node, derived(_loop_around(module, node, scope), frozenset({member})))
                    found = proof if found is None else found & proof
            case _:
                continue
    return found


def _checked_in_loop(module: Module, call: ast.Call, receiver: ast.expr, scope: ast.AST) -> Proof:
    """What a loop over the members, further up in the same scope, has proved about all of them."""
    proof = Proof.NOTHING
    for loop in module.nodes(ast.For):
        if loop.lineno >= call.lineno or call.lineno <= (loop.end_lineno or 0):
            continue
        if (
            module.scopes.scope(loop) is scope
            and isinstance(loop.target, ast.Name)
            and _same_archive(module, loop.iter, receiver)
        ):
            names = derived(loop, frozenset({loop.target.id}))
            proof |= after(module, loop.body, names)
    return proof


def _loop_around(module: Module, node: ast.AST, scope: ast.AST) -> ast.AST:
    """The outermost loop around a node in its own scope, or the scope where there is none."""
    found = scope
    for above in module.ancestors(node):
        if above is scope:
            return found
        if isinstance(above, ast.For | ast.AsyncFor | ast.While):
            found = above
    return found


def _same_archive(module: Module, iterated: ast.expr, receiver: ast.expr) -> bool:
    """Whether what a loop runs over is, or comes from, the archive that is extracted later (not re-bound between)."""
    if not isinstance(receiver, ast.Name):
        return alike(receiver) in alike(iterated)
    return any(
        isinstance(node, ast.Name)
        and (
            (node.id == receiver.id and values_at(module, node) == values_at(module, receiver))
            or _from(module, node, receiver)
        )
        for node in ast.walk(iterated)
    )


def _from(module: Module, name: ast.Name, receiver: ast.Name) -> bool:
    """Whether a name holds what a call on the archive gave (`members = tar.getmembers()`)."""
    return name.id != receiver.id and any(
        isinstance(node, ast.Name) and node.id == receiver.id and values_at(module, node) == values_at(module, receiver)
        for value in values_at(module, name) or ()
        for node in ast.walk(value)
    )


def _unpacking(module: Module, call: ast.Call) -> Iterator[Hit]:
    found = called(module, call)
    if found is None or found.name != "shutil.unpack_archive":
        return
    given = found.arguments
    kind, shown = _filter(module, given)
    kept = unpacked(module, call, given)
    if (
        (kept is not None and kept.zip)
        or kind is Filter.SAFE
        or declared(module.project).rules_out("python", SAFE_PYTHON)
    ):
        return
    own = module.constant(given.get("filename", 0)) is not MISSING
    quiet = kind is Filter.UNKNOWN or own or _is_fallback(module, call)
    if kind is Filter.OFF:
        values = {"call": "unpack_archive", "filter": shown}
        mends = extraction_can_be_mended(module, call)
        yield Hit(at=call, message=TRUSTED, values=values, confidence=Confidence.HIGH, mends=mends)
        return
    yield Hit(
        at=call,
        message=UNPACKED,
        remedy="" if kept is not None else OF_ANY_KIND,
        confidence=Confidence.LOW if quiet else Confidence.MEDIUM,
        audit=quiet,
        mends=extraction_can_be_mended(module, call),
    )


def _by_hand(module: Module) -> Iterator[Hit]:
    """A member's name joined to a folder, and the result written to."""
    loops: list[ast.For | ast.AsyncFor] = [*module.nodes(ast.For), *module.nodes(ast.AsyncFor)]
    for loop in loops:
        variable = member_variable(module, loop)
        if variable is not None:
            yield from _written_by_hand(module, loop, frozenset({variable}))


def _written_by_hand(module: Module, loop: ast.For | ast.AsyncFor, variable: frozenset[str]) -> Iterator[Hit]:
    names = derived(loop, variable)
    seen: set[ast.AST] = set()
    for call in ast.walk(loop):
        target = _written(module, call) if isinstance(call, ast.Call) else None
        if target is None or not mentions(target, names):
            continue
        join = _join(module, target, names)
        if join is None or join in seen or proved(module, call, names) is Proof.INSIDE:
            continue
        seen.add(join)
        shown = _shown(module, join, names)
        yield Hit(at=join, message=BY_HAND, values=shown, confidence=Confidence.MEDIUM, remedy=ASK, mends=False)


def _shown(module: Module, join: ast.expr, names: frozenset[str]) -> dict[str, object]:
    parts = [node for node in ast.walk(join) if isinstance(node, ast.Name | ast.Attribute) and mentions(node, names)]
    return {"name": module.segment(parts[0])[:MAX_SHOWN] if parts else ""}


def _written(module: Module, call: ast.Call) -> ast.expr | None:
    """The path that a call makes or overwrites, or None."""
    name = last_name(call.func)
    made = opened(module, call)
    if made is not None:
        return made.path if made.writes else None
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    match name:
        case "write_bytes" | "write_text" | "symlink_to" | "hardlink_to":
            return receiver
        case "copyfile" | "copy" | "copy2" | "move" | "rename" | "replace" | "symlink" | "link" if len(call.args) > 1:
            return call.args[1]
        case _:
            return None


def _join(module: Module, target: ast.expr, names: frozenset[str], depth: int = MAX_DEPTH) -> ast.expr | None:
    """The join of a member's name to a folder that a path is, or was assigned from; None for its base name."""
    if depth <= 0:
        return None
    match target:
        case ast.Name():
            for value in values_at(module, target) or ():
                found = _join(module, value, names, depth - 1)
                if found is not None:
                    return found
            return None
        case ast.BinOp(op=ast.Div() | ast.Add(), left=left, right=right):
            if mentions(right, names) and not cleans(right):
                return target
            return _join(module, left, names, depth - 1)
        case ast.Call(func=function, args=arguments_) if last_name(function) in ("join", "joinpath") and arguments_:
            parts = arguments_ if last_name(function) == "joinpath" else arguments_[1:]
            return target if any(mentions(part, names) and not cleans(part) for part in parts) else None
        case ast.Call(func=function, args=[first, *_]) if not is_guard_name(function):
            return _join(module, first, names, depth - 1)
        case ast.JoinedStr(values=[first, *rest]):
            return target if any(mentions(part, names) for part in rest) and not mentions(first, names) else None
        case _:
            return None


def _is_call(module: Module, at: ast.AST) -> bool:
    """Whether a finding is about a call that extracts, to which a filter can be given."""
    del module
    return isinstance(at, ast.Call) and last_name(handed_on(at)) in EXTRACT | UNPACK


RULE = Rule(
    code="VH204",
    name="archive-traversal",
    message="archive members write outside the target folder",
    why="The names of an archive's members are chosen by whoever packed it. Before Python 3.14, `tarfile` follows "
    "'../' and absolute names and creates links and devices; writing members by hand follows them in zip archives too. "
    "`zipfile`'s own extraction and that of `shutil.unpack_archive` drop such parts of zip archives: where the format, "
    "the file's name or a condition says that it is one, the rule is silent. Counted as safe: the filters 'data' and "
    "'tar', a project that requires Python 3.14, members whose names are checked or cut to their base name.",
    remedy='pass filter="data" (Python 3.12, and the security releases of 3.8 to 3.11), or check each member\'s name',
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    tiers={Tier.TEST: None, Tier.SCRIPT: Severity.MEDIUM},
    cwe=(22, 59),
    check=check,
    flow=FlowQuery(frozenset({"archive"})),
    mends=True,
    mendable=_is_call,
    bad=(
        Bad(
            """
            import asyncio
            import shutil
            import tarfile

            async def unpack(bundle, target):
                with tarfile.open(bundle) as tar:
                    await asyncio.to_thread(tar.extractall, target)  # VH204
                    await asyncio.to_thread(tar.extractall, target, filter="data")
                await asyncio.to_thread(shutil.unpack_archive, bundle, target)  # VH204
            """,
            note="Handed to what runs it.",
        ),
        Bad(
            """
            import shutil
            import tarfile

            def unpack(bundle, target):
                with tarfile.open(bundle) as tar:
                    tar.extractall(target)  # VH204
                with tarfile.open(bundle) as archive:
                    for member in archive.getmembers():
                        archive.extract(member, path=target)  # VH204
                tarfile.open(bundle).extractall(target, filter="fully_trusted")  # VH204
                shutil.unpack_archive(bundle, target)  # VH204
            """
        ),
        Bad(
            """
            import os
            import tarfile
            import zipfile

            def first_part_dropped(member, path):
                member.name = member.name.split("/", 1)[1]
                return member

            def unpack(bundle, target):
                with tarfile.open(bundle) as tar:
                    for member in tar:
                        if ".." in member.name:
                            raise ValueError(member.name)
                        tar.extract(member, target)  # VH204
                    tar.extractall(target, filter=first_part_dropped)  # VH204

            def by_hand(bundle, target):
                with zipfile.ZipFile(bundle) as packed:
                    for name in packed.namelist():
                        (target / name).write_bytes(packed.read(name))  # VH204
                    for info in packed.infolist():
                        place = os.path.join(target, info.filename)  # VH204
                        with open(place, "wb") as out:
                            out.write(packed.read(info))
            """
        ),
        Bad(
            """
            import tarfile
            import zipfile

            def unpack(bundle, target, kind):
                if kind == "tar":
                    opener = tarfile.open
                else:
                    opener = zipfile.ZipFile
                with opener(bundle) as archive:
                    archive.extractall(target)  # VH204
            """
        ),
    ),
    good=(
        Good(
            """
            import shutil

            def unpack(name, bundle, target, folder):
                shutil.unpack_archive(folder / f"{name}.zip", target)
                shutil.unpack_archive(bundle, target, "zip")
                if bundle.suffix == ".zip":
                    shutil.unpack_archive(bundle, target)
                elif bundle.name.endswith((".tar.gz", ".tgz")):
                    shutil.unpack_archive(bundle, target, filter="data")
            """,
            note="Zip archives, for which `shutil` takes no filter and needs none.",
        ),
        Good(
            """
            import os
            import tarfile
            import zipfile

            def safe_extract(tar, path):
                for member in tar.getmembers():
                    place = os.path.abspath(os.path.join(path, member.name))
                    if not place.startswith(os.path.abspath(path) + os.sep):
                        raise ValueError(member.name)
                tar.extractall(path)

            def unpack(bundle, target):
                with tarfile.open(bundle) as tar:
                    safe_extract(tar, target)
                    tar.extract("model.bin", target)
                    for part in ("train", "test"):
                        tar.extract(part, target)
                    for member in tar:
                        member.name = os.path.basename(member.name)
                        tar.extract(member, target)
                    tar.extractall(target, members=[m for m in tar if m.name in {"model.bin", "config.json"}])
                    tar.extraction_filter = tarfile.data_filter
                    tar.extractall(target)

            def unpack_any(bundle, target):
                if zipfile.is_zipfile(bundle):
                    opener = zipfile.ZipFile
                else:
                    opener = tarfile.open
                with opener(bundle) as archive:
                    if isinstance(archive, zipfile.ZipFile):
                        archive.extractall(target)
                    else:
                        archive.extractall(target, filter="data")
            """
        ),
        Good(
            """
            import os
            import tarfile
            import zipfile

            def checked(members):
                for member in members:
                    if os.path.isabs(member.name) or ".." in member.name:
                        raise ValueError(member.name)
                    yield member

            def unpack(bundle, target):
                with tarfile.open(bundle) as tar:
                    tar.extractall(target, filter="data")
                    tar.extractall(target, members=checked(tar))
                    for member in tar:
                        if not (target / member.name).resolve().is_relative_to(target):
                            raise ValueError(member.name)
                    tar.extractall(target)
                with zipfile.ZipFile(bundle) as packed:
                    packed.extractall(target)
                    for name in packed.namelist():
                        place = target / os.path.basename(name)
                        place.write_bytes(packed.read(name))
            """
        ),
        Good(
            """
            import tarfile

            def unpack_own(target):
                with tarfile.open("assets/samples.tar") as tar:
                    tar.extractall(target)

            def unpack(bundle, target):
                with tarfile.open(bundle) as tar:
                    if hasattr(tarfile, "data_filter"):
                        tar.extractall(target, filter="data")
                    else:
                        tar.extractall(target)
            """,
            note="An archive of the project's own, and what is left for old Pythons: the preset audit reports both.",
        ),
    ),
)
