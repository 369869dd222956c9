"""What is wrong with a prompt: where, and what to do about it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFault:
    """One fault; its text is one line."""

    prompt: str
    """`ko/ba`."""
    section: str | None = None
    placeholder: str | None = None
    """Without its `$`."""
    problem: str
    remedy: str

    def __str__(self) -> str:
        section = "" if self.section is None else f" [{self.section}]"
        placeholder = "" if self.placeholder is None else f" ${self.placeholder}"
        return f"{self.prompt}{section}{placeholder}: {self.problem}; {self.remedy}"


def told(faults: tuple[PromptFault, ...], most: int = 3) -> str:
    """The first faults in one line, and how many there are beyond them."""
    rest = len(faults) - most
    return " | ".join(map(str, faults[:most])) + (f" | and {rest} more" if rest > 0 else "")
