"""The files of a run: what was asked, and every artifact that was accepted. Nothing accepted is ever rewritten.

    OUT/.dure/run.json          the sentence, the language, the model, the prompt versions
    OUT/.dure/stage-ba.json     one file for each accepted stage

A small pointer in the user's state folder leads from a run id to its folder.
"""

import fcntl
import json
import os
import tempfile
from pathlib import Path
from typing import IO, Any

from platformdirs import user_state_path
from pydantic import ValidationError

from dure.errors import ConfigError
from dure_spec.artifacts import STAGES, Artifacts, Backend, Erd, Frontend, Ia, Part, Prd, Report, Stage
from dure_spec.artifacts.findings import Finding
from dure_spec.artifacts.report import StageRow, Verdict
from dure_spec.artifacts.shared import Language

MODELS: dict[Stage, type[Part]] = {
    "ba": Prd,
    "planner": Ia,
    "dba": Erd,
    "backend": Backend,
    "frontend": Frontend,
    "supervisor": Report,
}
FIELDS: dict[Stage, str] = {
    "ba": "prd",
    "planner": "ia",
    "dba": "erd",
    "backend": "backend",
    "frontend": "frontend",
    "supervisor": "report",
}


class RunHeader(Part):
    """What a run was begun with; it keeps it to its end."""

    run_id: str
    sentence: str
    lang: Language
    model: str
    created_at: str
    dure_version: str
    prompt_versions: dict[Stage, str]


class StageRecord(Part):
    """An accepted artifact and how it came about."""

    stage: Stage
    verdict: Verdict
    score: float
    attempts: int
    findings: tuple[Finding, ...]
    model: str
    prompt_version: str
    tokens_in: int
    tokens_out: int
    seconds: float
    defaulted: tuple[str, ...] = ()
    """What no usable answer decided, so that the program's own proposal stands."""
    artifact: dict[str, Any]

    def row(self) -> StageRow:
        """The line of the report."""
        return StageRow(
            stage=self.stage,
            attempts=self.attempts,
            score=self.score,
            verdict=self.verdict,
            model=self.model,
            prompt_version=self.prompt_version,
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            seconds=round(self.seconds, 1),
        )


class Journal:
    """The journal of one run, held by one process at a time."""

    def __init__(self, out: Path, header: RunHeader, lock: IO[str]) -> None:
        self.out = out
        self.header = header
        self._lock = lock

    @classmethod
    def create(cls, out: Path, header: RunHeader) -> "Journal":
        """Begin a run in `out`.

        Raises:
            ConfigError: the folder holds a run, cannot be made or cannot be written.
        """
        if (out / ".dure" / "run.json").exists():
            known = _header(out)
            raise ConfigError(
                f"{out} already holds run {known.run_id}; go on with --resume {known.run_id}, or give another --out"
            )
        try:
            (out / ".dure").mkdir(parents=True, exist_ok=True)
            lock = _locked(out)
            _write(out / ".dure" / "run.json", header.model_dump(mode="json"))
        except OSError as error:
            raise ConfigError(f"cannot write to {out}: {error.strerror or error}; give another --out") from error
        _point(header.run_id, out)
        return cls(out, header, lock)

    @classmethod
    def resume(cls, run: str) -> "Journal":
        """Take up a run by its id or its folder.

        Raises:
            ConfigError: there is no such run, it is unreadable, or another process works on it.
        """
        out = _find(run)
        try:
            return cls(out, _header(out), _locked(out))
        except OSError as error:
            raise ConfigError(f"cannot read the run in {out}: {error.strerror or error}") from error

    def records(self) -> dict[Stage, StageRecord]:
        """Accepted stages, in pipeline order.

        Raises:
            ConfigError: a file was damaged.
        """
        found: dict[Stage, StageRecord] = {}
        for stage in STAGES:
            path = self._path(stage)
            if path.exists():
                try:
                    found[stage] = StageRecord.model_validate_json(path.read_bytes())
                    MODELS[stage].model_validate(found[stage].artifact)
                except ValidationError as error:
                    first = error.errors()[0]
                    place = ".".join(str(part) for part in first["loc"])
                    what = f"{path} is damaged at {place or 'its beginning'}: {first['msg']}"
                    raise ConfigError(f"{what}; remove it to run that stage again") from error
        return found

    def artifacts(self) -> Artifacts:
        """All accepted artifacts."""
        values = {
            FIELDS[stage]: MODELS[stage].model_validate(record.artifact) for stage, record in self.records().items()
        }
        return Artifacts.model_validate(values)

    def accept(self, record: StageRecord) -> None:
        """Store an accepted artifact, durably, once."""
        path = self._path(record.stage)
        if not path.exists():
            _write(path, record.model_dump(mode="json"))

    def close(self) -> None:
        """Let another process take the run up."""
        self._lock.close()

    def _path(self, stage: Stage) -> Path:
        return self.out / ".dure" / f"stage-{stage}.json"


def dump(artifact: Part) -> dict[str, Any]:
    """An artifact as the journal stores it."""
    return artifact.model_dump(mode="json", by_alias=True)


def _header(out: Path) -> RunHeader:
    path = out / ".dure" / "run.json"
    try:
        return RunHeader.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ConfigError(f"{path} is damaged: {error.errors()[0]['msg']}; begin a new run") from error


def _find(run: str) -> Path:
    folder = Path(run).expanduser()
    if (folder / ".dure" / "run.json").is_file():
        return folder
    pointer = _pointer(run) if run.isalnum() else None
    if pointer is not None and pointer.is_file():
        out = Path(pointer.read_text(encoding="utf-8").strip())
        if (out / ".dure" / "run.json").is_file():
            return out
        raise ConfigError(f"run {run} was in {out}, which holds no run any more")
    raise ConfigError(f"no run {run!r}: give the id of a run, or the folder that holds it")


def _pointer(run_id: str) -> Path:
    return user_state_path("dure") / "runs" / run_id


def _point(run_id: str, out: Path) -> None:
    """A convenience: without a writable state folder a run is found by its own folder alone."""
    pointer = _pointer(run_id)
    try:
        pointer.parent.mkdir(parents=True, exist_ok=True)
        pointer.write_text(f"{out.absolute()}\n", encoding="utf-8")
    except OSError:
        return


def _locked(out: Path) -> IO[str]:
    handle = (out / ".dure" / "lock").open("w")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        handle.close()
        raise ConfigError(f"another process is working on the run in {out}; wait for it or stop it") from error
    return handle


def _write(path: Path, value: object) -> None:
    """All or nothing, also when the power goes."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
