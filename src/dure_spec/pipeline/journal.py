"""The files of a run: what was asked, and every artifact that was accepted. Nothing accepted is ever rewritten.

    OUT/.dure/run.json          the sentence, the language, the model, the prompt versions
    OUT/.dure/prompts.json      their texts (see run_prompts)
    OUT/.dure/stage-ba.json     one file for each accepted stage
    OUT/.dure/stopped-dba.json  the best attempt of a stage that waits for a person
    OUT/.dure/decisions.json    what people waived and edited, who and when

A small pointer in the user's state folder leads from a run id to its folder.
"""

import fcntl
import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

from platformdirs import user_state_path

from dure.errors import ConfigError
from dure.whole_file import write_whole
from dure_spec.artifacts import STAGES, Artifacts, Stage
from dure_spec.artifacts.bundle import FIELDS, MODELS
from dure_spec.artifacts.findings import Waiver
from dure_spec.pipeline.records import (
    AuditLine,
    Decisions,
    RunHeader,
    StageRecord,
    read_decisions,
    read_header,
    read_record,
)
from dure_spec.pipeline.supervision import NEEDS


class Journal:
    """The journal of one run, held by one process at a time."""

    def __init__(self, out: Path, header: RunHeader, lock: IO[str], *, made: tuple[Path, ...] = ()) -> None:
        self.out = out
        self.header = header
        self._lock = lock
        self._made = made
        """Folders that came into being with this run, innermost first."""

    @classmethod
    def create(cls, out: Path, header: RunHeader) -> "Journal":
        """Begin a run in `out`.

        Raises:
            ConfigError: the folder holds a run, cannot be made or cannot be written.
        """
        check_free(out)
        hidden = out / ".dure"
        made: tuple[Path, ...] = ()
        try:
            made = tuple(folder for folder in (hidden, out, *out.parents) if not folder.exists())
            hidden.mkdir(parents=True, exist_ok=True)
            lock = _locked(out)
            check_free(out)  # whoever held the lock a moment ago may have begun one
            _write(hidden / "run.json", header.model_dump(mode="json"))
        except OSError as error:
            if hidden in made:
                _remove(made, hidden / "lock")
            raise ConfigError(f"cannot write to {out}: {error.strerror or error}; give another --out") from error
        _point(header.run_id, out)
        return cls(out, header, lock, made=made)

    @classmethod
    def resume(cls, run: str) -> "Journal":
        """Take up a run by its id or its folder.

        Raises:
            ConfigError: there is no such run, it is unreadable, or another process works on it.
        """
        try:
            out = _find(run)
            journal = cls(out, read_header(out / ".dure" / "run.json"), _locked(out))
            journal._clear()
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise ConfigError(f"cannot read the run {run!r}: {said}") from error
        return journal

    def _clear(self) -> None:
        """Remove half a file of a process that died, and set aside what builds upon a stage that is gone.

        The lock says that nobody else writes now.
        """
        for left in (self.out / ".dure").glob(".*.json.*"):
            left.unlink()
        kept: set[Stage] = set()
        for stage in STAGES:
            path = self._path(stage)
            if path.exists() and set(NEEDS[stage]) <= kept:
                kept.add(stage)
            elif path.exists():
                path.replace(path.with_suffix(".old"))
        for stage in STAGES:
            stopped = self._stopped(stage)
            if stage in kept:
                stopped.unlink(missing_ok=True)
            elif stopped.exists() and not set(NEEDS[stage]) <= kept:
                stopped.replace(stopped.with_suffix(".old"))

    def records(self) -> dict[Stage, StageRecord]:
        """Accepted stages, in pipeline order.

        Raises:
            ConfigError: a file was damaged.
        """
        return {stage: read_record(self._path(stage), stage) for stage in STAGES if self._path(stage).exists()}

    def stopped(self) -> dict[Stage, StageRecord]:
        """The best attempts of stages that wait for a person, in pipeline order.

        Raises:
            ConfigError: a file was damaged.
        """
        return {
            stage: read_record(self._stopped(stage), stage)
            for stage in STAGES
            if self._stopped(stage).exists() and not self._path(stage).exists()
        }

    def decisions(self) -> Decisions:
        """What people decided.

        Raises:
            ConfigError: the file was damaged.
        """
        path = self._decisions
        return read_decisions(path) if path.exists() else Decisions()

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
        self._stopped(record.stage).unlink(missing_ok=True)

    def stop(self, record: StageRecord) -> None:
        """Keep the best attempt of a stage until a person has decided; another one takes its place."""
        _write(self._stopped(record.stage), record.model_dump(mode="json"))

    def decide(self, line: AuditLine, waivers: tuple[Waiver, ...] = ()) -> None:
        """Keep what a person did, for good."""
        before = self.decisions()
        now = Decisions(waivers=(*before.waivers, *waivers), audit=(*before.audit, line))
        _write(self._decisions, now.model_dump(mode="json"))

    def sweep(self, files: Iterable[str]) -> None:
        """Remove what a process that died while writing these files left beside them."""
        for name in files:
            for left in self.out.glob(f".{name}.????????"):
                left.unlink(missing_ok=True)

    def discard(self) -> None:
        """Undo a run that has nothing to show; folders that were there before it stay."""
        hidden = self.out / ".dure"
        files = (hidden / name for name in ("run.json", "prompts.json", "lock"))
        _remove(self._made, *files, _pointer(self.header.run_id))

    def close(self) -> None:
        """Let another process take the run up."""
        self._lock.close()

    def _path(self, stage: Stage) -> Path:
        return self.out / ".dure" / f"stage-{stage}.json"

    def _stopped(self, stage: Stage) -> Path:
        return self.out / ".dure" / f"stopped-{stage}.json"

    @property
    def _decisions(self) -> Path:
        return self.out / ".dure" / "decisions.json"


def check_free(out: Path | None) -> None:
    """Refuse a folder that cannot take a run, before a model is woken.

    Raises:
        ConfigError: it is a file, it holds a run, or it cannot be looked at.
    """
    if out is None:
        return
    try:
        if out.exists() and not out.is_dir():
            raise ConfigError(f"--out {out} is a file; give a folder")
        if (out / ".dure" / "run.json").exists():
            raise ConfigError(f"{out} already holds a run; go on with --resume {out}, or give another --out")
    except OSError as error:
        raise ConfigError(f"cannot use --out {out}: {error.strerror or error}; give another folder") from error


def _find(run: str) -> Path:
    folder = Path(run).expanduser()
    if run and (folder / ".dure" / "run.json").is_file():
        return folder
    pointer = _pointer(run) if run.isalnum() else None
    if pointer is not None and pointer.is_file():
        out = Path(pointer.read_text(encoding="utf-8").strip())
        if (out / ".dure" / "run.json").is_file():
            return out
        raise ConfigError(f"run {run} was in {out}, which holds no run any more")
    raise ConfigError(f"no run {run!r}: give the id of a run, or the folder that holds it")


def _remove(folders: Iterable[Path], *files: Path) -> None:
    """Remove these files, and then the folders that are empty, innermost first."""
    for path in files:
        with suppress(OSError):
            path.unlink()
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


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
    write_whole(path, json.dumps(value, ensure_ascii=False, indent=1).encode())
