"""Many files linted: schemas each for itself, artifacts as one design, repaired where that is wanted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from dure_spec.lint.config import LintOptions
from dure_spec.lint.design_files import design_in, design_of, is_json
from dure_spec.lint.design_fixing import fixed_design
from dure_spec.lint.design_judging import judged_design
from dure_spec.lint.reading import read_source
from dure_spec.lint.report import Judged, LintReport
from dure_spec.lint.source_fixing import fixed_source
from dure_spec.lint.source_judging import judged_source
from dure_spec.lint.text_files import STDIN, TextFile, UnusableFile, read_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """A report, and what the files say with the repairs in them."""

    report: LintReport
    texts: tuple[tuple[TextFile, str], ...] = ()
    """Each file that was judged with its new text, also where that is the old one."""


@dataclass(slots=True)
class _Bench:
    """What lies to be judged, and what cannot be."""

    schemas: list[TextFile] = field(default_factory=list[TextFile])
    designs: list[Sequence[TextFile]] = field(default_factory=list[Sequence[TextFile]])
    unusable: list[str] = field(default_factory=list[str])


def lint_files(names: Sequence[str], options: LintOptions, *, fix: bool = False) -> Linted:
    """Judge all files; one that cannot be linted is told of and keeps none of the others from it.

    With `fix` the findings are those that repairs leave.
    """
    bench = _sorted(names)
    works: list[Callable[[], tuple[Judged, list[tuple[TextFile, str]]]]] = [
        *(partial(_schema, file, options, fix=fix) for file in bench.schemas),
        *(partial(_design, files, options, fix=fix) for files in bench.designs),
    ]
    judged: list[Judged] = []
    texts: list[tuple[TextFile, str]] = []
    for work in works:
        try:
            done, new = work()
        except UnusableFile as error:
            bench.unusable.append(str(error))
        else:
            judged.append(done)
            texts += new
    report = LintReport(judged=tuple(judged), unusable=tuple(bench.unusable))
    return Linted(report=report, texts=tuple(texts))


def _sorted(names: Sequence[str]) -> _Bench:
    bench = _Bench()
    artifacts: list[TextFile] = []
    for name in dict.fromkeys(names):
        try:
            if name != STDIN and Path(name).is_dir():
                bench.designs.append(design_in(Path(name)))
            else:
                file = read_text(name)
                (artifacts if is_json(file) else bench.schemas).append(file)
        except UnusableFile as error:
            bench.unusable.append(str(error))
    if artifacts:
        bench.designs.append(artifacts)
    return bench


def _schema(file: TextFile, options: LintOptions, *, fix: bool) -> tuple[Judged, list[tuple[TextFile, str]]]:
    source = read_source(file.text, options.dialect)
    if not source.erd.tables and not source.faults:
        raise UnusableFile(f"{file.name}: no CREATE TABLE in it")
    if not fix:
        return judged_source(file.name, source, options), []
    fixed = fixed_source(source, options)
    judged = replace(judged_source(file.name, fixed.source, options), fixes=fixed.fixes, notes=fixed.notes)
    return judged, [(file, fixed.source.text)]


def _design(files: Sequence[TextFile], options: LintOptions, *, fix: bool) -> tuple[Judged, list[tuple[TextFile, str]]]:
    design = design_of(files)
    if not fix:
        return judged_design(design, options), []
    changed, fixes = fixed_design(design, options)
    texts = [(file, changed.get(file.name, file.text)) for file in files]
    return judged_design(design_of([replace(file, text=text) for file, text in texts]), options, fixes), texts
