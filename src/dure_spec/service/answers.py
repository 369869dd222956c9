"""What the service answers, and what the commands print as JSON: the same shapes."""

from dataclasses import asdict

from dure.prompts import PromptFault, PromptKey, PromptStore, Refreshed
from dure_spec.artifacts.shared import STAGES, Part


class HealthAnswer(Part):
    """That the service is up."""

    status: str = "ok"
    version: str


class PromptRow(Part):
    """One prompt that is in use."""

    stage: str
    lang: str
    version: str
    source: str
    """`packaged`, or where it comes from; holds no secret."""
    changed: bool
    """Whether it is another text than the packaged one."""


class PromptsAnswer(Part):
    """The prompts in use."""

    source: str
    prompts: tuple[PromptRow, ...]


class ChangeRow(Part):
    """A prompt whose version is another one now."""

    prompt: str
    old: str
    new: str


class RefreshAnswer(Part):
    """What a refresh changed."""

    status: str
    """`swapped` or `unchanged`."""
    source: str
    changes: tuple[ChangeRow, ...]
    notes: tuple[str, ...]


class FaultRow(Part):
    """What is wrong with a prompt, and what to do."""

    prompt: str
    section: str | None = None
    placeholder: str | None = None
    problem: str
    remedy: str


class RefreshOutcome(RefreshAnswer):
    """What a refresh came to, the bad ends included."""

    status: str
    """`swapped`, `unchanged`, `faulty` or `away`; after the last two the old set stands."""
    faults: tuple[FaultRow, ...] = ()
    reason: str = ""

    @property
    def good(self) -> bool:
        """Whether the source was read and its prompts are in use."""
        return self.status in ("swapped", "unchanged")


class VersionRow(Part):
    """A version of a prompt."""

    version: str
    added_at: str | None
    current: bool
    packaged: bool


class HistoryAnswer(Part):
    """The versions of a prompt that its source keeps."""

    prompt: str
    source: str
    versions: tuple[VersionRow, ...]


def prompts_answer(store: PromptStore) -> PromptsAnswer:
    """What a store holds now, in the order of the stages."""
    current, package = store.current, store.package
    rows = (
        PromptRow(
            stage=key.name,
            lang=key.lang,
            version=template.version,
            source=current.origin(key),
            changed=template.version != package.templates[key].version,
        )
        for key, template in sorted(current.templates.items(), key=lambda item: _place(item[0]))
    )
    return PromptsAnswer(source=current.source, prompts=tuple(rows))


def refresh_answer(outcome: Refreshed) -> RefreshAnswer:
    """A refresh that came to a good end."""
    changes = (ChangeRow(prompt=str(change.key), old=change.old, new=change.new) for change in outcome.changes)
    return RefreshAnswer(status=outcome.status, source=outcome.source, changes=tuple(changes), notes=outcome.notes)


def refresh_outcome(outcome: Refreshed) -> RefreshOutcome:
    """A refresh, however it ended."""
    return RefreshOutcome(**dict(refresh_answer(outcome)), faults=fault_rows(outcome.faults), reason=outcome.reason)


def fault_rows(faults: tuple[PromptFault, ...]) -> tuple[FaultRow, ...]:
    """Faults as they are sent."""
    return tuple(FaultRow.model_validate(asdict(fault)) for fault in faults)


def _place(key: PromptKey) -> tuple[int, str, str]:
    """Korean before English, as everywhere."""
    names: tuple[str, ...] = STAGES
    return (names.index(key.name) if key.name in names else len(names), "" if key.lang == "ko" else key.lang, key.name)
