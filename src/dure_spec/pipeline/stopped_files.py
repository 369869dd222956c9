"""What a person reads and edits of a stage that waits for a decision: `OUT/stopped/dba.json` and `dba.md`."""

from codecs import BOM_UTF8
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from dure.whole_file import READABLE_BY_ALL, write_whole
from dure_spec.artifacts.bundle import MODELS
from dure_spec.artifacts.findings import FORCE, Finding
from dure_spec.artifacts.shared import Language, Stage
from dure_spec.pipeline.records import RunHeader, StageRecord, dump
from dure_spec.pipeline.stops import ways_on
from dure_spec.render.files import canonical_json

_SEVERITY: dict[Language, dict[str, str]] = {
    "ko": {"critical": "치명", "major": "중대", "minor": "경미"},
    "en": {"critical": "critical", "major": "major", "minor": "minor"},
}
_HEAD: dict[Language, str] = {
    "ko": "# {stage}: {score:.1f}점\n\n{force:.1f}점부터 이어서 진행할 수 있습니다. 고칠 파일: `{file}`\n\n",
    "en": "# {stage}: {score:.1f}\n\nThe run goes on from {force:.1f}. The file to edit: `{file}`\n\n",
}
_WORDS: dict[Language, dict[str, str]] = {
    "ko": {"use": "쓸 수 있는 값", "waived": "넘어감", "cause": "{id} 때문", "ways": "다음에 할 일"},
    "en": {"use": "allowed", "waived": "waived by", "cause": "follows from {id}", "ways": "What can be done"},
}


def artifact_file(out: Path, stage: Stage) -> Path:
    """Where the artifact lies for editing."""
    return out / "stopped" / f"{stage}.json"


def artifact_text(record: StageRecord) -> str:
    """The artifact as a person edits it."""
    return canonical_json(MODELS[record.stage].model_validate(record.artifact))


def show(out: Path, header: RunHeader, record: StageRecord, *, before: StageRecord | None = None) -> None:
    """Write both files; an edited one that was never handed in is set aside as `dba.mine.json`.

    Raises:
        OSError: the folder cannot be written.
    """
    path = artifact_file(out, record.stage)
    path.parent.mkdir(exist_ok=True)
    if before is not None:
        _set_aside(path, (before, record))
    write_whole(path, artifact_text(record).encode(), mode=READABLE_BY_ALL)
    findings = _findings(header, record, path.name)
    write_whole(path.with_suffix(".md"), findings.encode(), mode=READABLE_BY_ALL)


def hide(out: Path, record: StageRecord, *, before: StageRecord | None = None) -> None:
    """The stage waits no longer; what a person wrote and nothing was taken of is set aside as `dba.mine.json`."""
    path = artifact_file(out, record.stage)
    if before is not None:
        _set_aside(path, (record,) if before.edited_by and not record.edited_by else (before, record))
    for left in (path, path.with_suffix(".md")):
        left.unlink(missing_ok=True)
    with suppress(OSError):
        path.parent.rmdir()


def _set_aside(path: Path, known: Iterable[StageRecord]) -> None:
    """Keep the file under another name where it is none of these artifacts, however it is laid out."""
    if path.exists() and not any(_holds(path, record) for record in known):
        path.replace(path.with_suffix(".mine.json"))


def _holds(path: Path, record: StageRecord) -> bool:
    try:
        return (
            dump(MODELS[record.stage].model_validate_json(path.read_bytes().removeprefix(BOM_UTF8))) == record.artifact
        )
    except ValidationError:
        return False


def _findings(header: RunHeader, record: StageRecord, file: str) -> str:
    lang = header.lang
    lines = [_line(lang, finding) for finding in record.findings]
    ways = [f"- {way.about}: `{way.command}`" for way in ways_on(lang, header.run_id, record)]
    head = _HEAD[lang].format(stage=record.stage, score=record.score, force=FORCE, file=file)
    return head + "\n".join([*lines, "", f"## {_WORDS[lang]['ways']}", "", *ways, ""])


def _line(lang: Language, finding: Finding) -> str:
    words = _WORDS[lang]
    line = f"- **{finding.id}** [{_SEVERITY[lang][finding.severity]}] `{finding.ref}` (`{finding.path}`) "
    line += " ".join(finding.message.split())
    values = " | ".join(dict.fromkeys(value for value in (finding.expected, *finding.candidates) if value))
    if values:
        line += f" → {words['use']}: {values}"
    if finding.caused_by:
        line += f" ({words['cause'].format(id=finding.caused_by)})"
    if finding.waived_by:
        line += f" ({words['waived']}: {finding.waived_by})"
    return line
