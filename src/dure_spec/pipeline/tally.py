"""What a stage spends and is told, translated from the events of the chain into those of the pipeline."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dure.events import Event, ModelCallFinished, Restarted, TextDelta
from dure.usage import NO_USAGE, Usage
from dure_spec.artifacts.shared import Language, Stage
from dure_spec.pipeline.events import Disturbed, PipelineEvent, Spent, Writing
from dure_spec.pipeline.fault_texts import fault_text

Emit = Callable[[PipelineEvent], None]


@dataclass(slots=True, kw_only=True)
class Tally:
    """What a stage spent, counted where every model call ends."""

    stage: Stage
    lang: Language
    emit: Emit
    usage: Usage = NO_USAGE
    defaulted: list[str] = field(default_factory=list[str])
    began: float = field(default_factory=time.monotonic)

    def hear(self, event: Event) -> None:
        """Translate an event of the chain into one of the pipeline."""
        match event:
            case TextDelta(text=text):
                self.emit(Writing(stage=self.stage, text=text))
            case ModelCallFinished(usage=usage, seconds=seconds):
                self.usage += usage
                self.emit(Spent(stage=self.stage, usage=usage, seconds=seconds))
            case Restarted(reason=reason, delay=delay):
                self.emit(
                    Disturbed(stage=self.stage, reason=fault_text(self.lang, reason, call=delay > 0), delay=delay)
                )
            case _:
                pass

    @property
    def seconds(self) -> float:
        """Since the stage began."""
        return time.monotonic() - self.began
