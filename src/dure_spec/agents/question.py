"""One question to a model: what is asked, how the answer must look, and how it is judged at once."""

from collections.abc import Callable
from dataclasses import dataclass

from dure.chat import ChatOptions
from dure_spec.artifacts import Part


class AnswerRefused(Exception):
    """An answer cannot be used; the text says why, for the model that is asked again."""


class StageState(Part):
    """What an agent knows while it works on one attempt. Each agent adds its own fields."""

    answered: tuple[str, ...] = ()
    """Keys of the questions that are done, in order."""
    artifact: Part | None = None
    """The finished artifact; while it is `None` the agent has more to ask or to derive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and the shape of its answer."""

    key: str
    """Names the question within its stage."""
    about: str
    """A few words for people."""
    prompt: str
    examples: tuple[tuple[str, str], ...] = ()
    """Pairs of a question and its right answer, from another domain."""
    options: ChatOptions
    optional: bool = False
    """Whether the program can go on with its own proposal when no usable answer comes."""
    light: bool = False
    """Picking from a list or putting a form right: a light, quick model will do."""


Check = Callable[[str], None]
"""Looks at an answer's text and raises `AnswerRefused` if it cannot be used."""
