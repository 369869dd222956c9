"""What a person decides about a run that waits at a gate: an artifact edited by hand, findings that may stay."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from pydantic import ValidationError

from dure.errors import ConfigError
from dure_spec.agents.answers import one_line
from dure_spec.artifacts import STAGES, Stage
from dure_spec.artifacts.bundle import MODELS
from dure_spec.artifacts.findings import Finding, Waiver
from dure_spec.config import DesignConfig
from dure_spec.intake import screen
from dure_spec.pipeline.journal import Journal
from dure_spec.pipeline.records import AuditLine, StageRecord, dump
from dure_spec.pipeline.sitting import judged_again, run_policy
from dure_spec.pipeline.stopped_files import artifact_file, hide, show
from dure_spec.render.files import render
from dure_spec.validators.policy import Policy, nearest

_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, marks that turn text round, halves of a character: no label has them, and few files can."""
_CONFIG = DesignConfig()
_POLICY = Policy()


class FormFault(ConfigError):
    """An edited artifact has not the form of its stage; `faults` name the places."""

    def __init__(self, message: str, faults: tuple[str, ...]) -> None:
        super().__init__(message)
        self.faults = faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What came of a decision."""

    before: float
    record: StageRecord
    """As the gate sees it now; the verdict is `failed` while it stays shut."""
    named: tuple[Finding, ...] = ()
    """The findings that were waived."""


class WaitingRun:
    """A run that waits for a person, held until it is closed so that nobody else works on it."""

    def __init__(self, journal: Journal, config: DesignConfig, policy: Policy) -> None:
        self.journal = journal
        self._config = config
        self._given = policy

    @classmethod
    def open(cls, run: str, *, config: DesignConfig = _CONFIG, policy: Policy = _POLICY) -> "WaitingRun":
        """Take up a run by its id or its folder.

        Raises:
            ConfigError: there is no such run, another process works on it, or no stage of it waits.
        """
        journal = Journal.resume(run)
        waiting = cls(journal, config, policy)
        try:
            if not journal.stopped():
                raise ConfigError(f"no stage of the run {run!r} waits for a person{_how_far(journal)}")
        except BaseException:
            journal.close()
            raise
        return waiting

    def close(self) -> None:
        """Let another process take the run up."""
        self.journal.close()

    def stopped(self, stage: str) -> StageRecord:
        """The attempt of a stage that waits, with its artifact laid out for editing.

        Raises:
            ConfigError: it does not wait.
        """
        waiting = self.journal.stopped()
        record = next((record for name, record in waiting.items() if name == stage), None)
        if record is None:
            known = f"give one of {', '.join(waiting)}" if stage in STAGES else f"stages are {', '.join(STAGES)}"
            raise ConfigError(f"stage {stage!r} does not wait for a person; {known}")
        if not artifact_file(self.journal.out, record.stage).exists():
            show(self.journal.out, self.journal.header, record)
        return record

    def edit(self, record: StageRecord, text: str, *, by: str) -> Decided:
        """Judge an edited artifact: accepted where the gate opens, else kept with its findings.

        Raises:
            FormFault: it is no artifact of the stage; nothing was changed.
            ConfigError: it is the artifact as it was.
        """
        artifact = _read(record.stage, text)
        if artifact == record.artifact:
            raise ConfigError(f"the artifact of stage {record.stage!r} is as it was: nothing was edited")
        by = one_line(by, len(by))
        edited = record.model_copy(update={"artifact": artifact, "edited_by": by})
        again = judged_again(edited, self.journal, self._policy())
        scores = (f"{record.score:.1f}", f"{again.score:.1f}")
        self.journal.decide(AuditLine(at=_now(), by=by, did="edit", stage=record.stage, what=scores))
        self._settle(again, record)
        return Decided(before=record.score, record=again)

    def waive(self, names: tuple[str, ...], *, reason: str, by: str) -> tuple[Decided, ...]:
        """Let findings stay, told by their ids, or by `stage:id` where two stages wait.

        The gate opens when the run goes on. One answer for each stage concerned.

        Raises:
            ConfigError: no reason is given, or a finding is not there; nothing was changed.
        """
        why, by = one_line(reason, len(reason)), one_line(by, len(by))
        if not why:
            raise ConfigError("a waiver needs its reason: give --reason TEXT")
        waiting = self._judged()
        chosen: dict[Stage, list[Finding]] = {}
        for name in names:
            finding, stage = _named(name, waiting)
            if all(finding.id != each.id for each in chosen.setdefault(stage, [])):
                chosen[stage].append(finding)
        at = _now()
        for stage, findings in chosen.items():
            what = tuple(f"{each.id} {each.ref}" for each in findings)
            line = AuditLine(at=at, by=by, did="waive", stage=stage, what=what, why=why)
            self.journal.decide(line, tuple(_waiver(each, by=by, reason=why, at=at) for each in findings))
        decided: list[Decided] = []
        for stage, findings in chosen.items():
            again = judged_again(waiting[stage], self.journal, self._policy())
            stopped = again.model_copy(update={"verdict": "failed"})
            self.journal.stop(stopped)
            show(self.journal.out, self.journal.header, stopped, before=waiting[stage])
            decided.append(Decided(before=waiting[stage].score, record=again, named=tuple(findings)))
        return tuple(decided)

    def _judged(self) -> dict[Stage, StageRecord]:
        policy = self._policy()
        return {stage: judged_again(record, self.journal, policy) for stage, record in self.journal.stopped().items()}

    def _policy(self) -> Policy:
        header = self.journal.header
        intake = screen(header.sentence, lang=header.lang)
        return run_policy(self._given, intake, self._config, self.journal)

    def _settle(self, record: StageRecord, before: StageRecord) -> None:
        if record.verdict == "failed":
            self.journal.stop(record)
            show(self.journal.out, self.journal.header, record, before=before)
            return
        self.journal.accept(record)
        hide(self.journal.out, record, before=before)
        render(self.journal.artifacts(), self.journal.out)


def _read(stage: Stage, text: str) -> dict[str, Any]:
    """The artifact in a text, as the journal stores it.

    Raises:
        FormFault: it has another form.
    """
    try:
        value = json.loads(
            text.removeprefix("\ufeff"), parse_constant=_number, parse_float=_number, object_pairs_hook=_object
        )
    except ValueError as error:
        raise FormFault(f"this is no JSON: {error}", ()) from error
    except RecursionError as error:
        raise FormFault("this is no artifact: its JSON is nested too deeply", ()) from error
    for said in _texts(value):
        hidden = _HIDDEN.search(said)
        if hidden:
            raise FormFault(f"a text has a character that nobody can see, U+{ord(hidden[0]):04X}: {said!a:.80}", ())
    try:
        return dump(MODELS[stage].model_validate(value))
    except ValidationError as error:
        faults = tuple(
            f"/{'/'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
            for fault in error.errors(include_url=False)
        )
        raise FormFault(f"this is no artifact of stage {stage!r}: {len(faults)} faults of form", faults) from error


def _texts(value: object) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in cast("list[object]", value):
            yield from _texts(each)
    elif isinstance(value, dict):
        for name, each in cast("dict[str, object]", value).items():
            yield name
            yield from _texts(each)


def _number(text: str) -> float:
    """A number that JSON can write again.

    Raises:
        ValueError: it is none, or endless.
    """
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no number that JSON knows")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that says nothing twice.

    Raises:
        ValueError: of two values with one name, one would be lost.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object has {twice!r} twice")
    return found


def _named(name: str, waiting: dict[Stage, StageRecord]) -> tuple[Finding, Stage]:
    """The finding of this name, and the stage that waits because of it."""
    wanted, _, tail = name.rpartition(":")
    found: list[tuple[Finding, Stage]] = [
        (finding, stage)
        for stage, record in waiting.items()
        for finding in record.findings
        if finding.id.lower() == tail.lower() and wanted in ("", stage)
    ]
    if len(found) > 1:
        choices = " or ".join(f"{stage}:{finding.id}" for finding, stage in found)
        raise ConfigError(f"two stages have a finding {name!r}: give {choices}")
    if not found:
        ids = [finding.id for record in waiting.values() for finding in record.findings if finding.waived_by is None]
        near = nearest(tail, ids) or tuple(ids[:5])
        raise ConfigError(f"there is no finding {name!r}; nearest: {', '.join(near) or 'none is left'}")
    finding, stage = found[0]
    if finding.waived_by is not None:
        raise ConfigError(f"{finding.id} {finding.ref} is waived already, by {finding.waived_by}")
    return finding, stage


def _waiver(finding: Finding, *, by: str, reason: str, at: str) -> Waiver:
    return Waiver(
        stage=finding.stage,
        validator=finding.validator,
        ref=finding.ref,
        message=finding.message,
        by=by,
        reason=reason,
        at=at,
    )


def _how_far(journal: Journal) -> str:
    done = journal.records()
    if set(done) == set(STAGES):
        return ": it is finished"
    return f"; go on with: dure design --resume {journal.header.run_id}"


def _now() -> str:
    return datetime.now(UTC).astimezone().isoformat(timespec="seconds")
