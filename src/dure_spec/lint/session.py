"""One call of `dure lint`: files judged, repairs written, the report shown."""

import gc
import importlib.metadata
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal, TextIO, get_args

from dure.errors import ConfigError
from dure_spec.lint.config import LintOptions, one_of
from dure_spec.lint.json_form import json_text
from dure_spec.lint.linting import Linted, lint_files
from dure_spec.lint.report import LintReport
from dure_spec.lint.sarif_form import sarif_text
from dure_spec.lint.text_files import STDIN, UnusableFile, write_whole
from dure_spec.lint.text_form import text_lines

Form = Literal["text", "json", "sarif"]


def run_lint(names: Sequence[str], options: LintOptions, *, form: str, fix: bool, out: Path | None) -> int:
    """The exit code; the report goes to standard output, or beside a corrected text that goes there.

    Raises:
        ConfigError: options that do not go together.
    """
    wanted: Form = one_of(form, get_args(Form), "--format")
    _check(names, fix=fix, out=out)
    with _uncollected():
        linted = lint_files(names, options, fix=fix)
    report = linted.report
    if fix:
        report = replace(report, unusable=(*report.unusable, *_written(linted, out)))
    to_stdout = fix and out is None and STDIN in names
    _show(report, options, wanted, sys.stderr if to_stdout else sys.stdout)
    return report.exit_code(options.fail_on)


@contextmanager
def _uncollected() -> Generator[None]:
    """What is read and judged has no circles of references: looking for them costs a fifth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _check(names: Sequence[str], *, fix: bool, out: Path | None) -> None:
    if out is not None and not fix:
        raise ConfigError("--out says where --fix writes: give --fix too")
    if out is not None and (len(names) != 1 or (names[0] != STDIN and Path(names[0]).is_dir())):
        raise ConfigError("--out takes the text of one file: name one, or leave out --out to correct them in place")


def _written(linted: Linted, out: Path | None) -> list[str]:
    """Write the corrected texts; one line for each that could not be written."""
    faults: list[str] = []
    for file, text in linted.texts:
        try:
            data = file.encoded(text)
            if out is not None:
                write_whole(out, data)
            elif file.name == STDIN:
                _to_stdout(data)
            elif text != file.text:
                write_whole(Path(file.name), data)
        except UnusableFile as error:
            faults.append(str(error))
    return faults


def _to_stdout(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _show(report: LintReport, options: LintOptions, form: Form, stream: TextIO) -> None:
    """The report in its form; for people, what could not be read goes to standard error."""
    if form == "json":
        stream.write(json_text(report, fail_on=options.fail_on))
    elif form == "sarif":
        stream.write(sarif_text(report, lang=options.lang, version=importlib.metadata.version("dure")))
    else:
        colours = stream.isatty() and not os.environ.get("NO_COLOR")
        for line in text_lines(report, lang=options.lang, colours=colours):
            stream.write(f"{line}\n")
    stream.flush()
    for line in report.unusable:
        sys.stderr.write(f"dure: {line}\n")
