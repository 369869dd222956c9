"""The judging side: validators over the artifacts, the gate that scores them, and what it sends back."""

from dure_spec.validators.feedback import failing_items, feedback
from dure_spec.validators.gate import judge
from dure_spec.validators.policy import Policy
from dure_spec.validators.registry import VALIDATORS, Validator

__all__ = ["VALIDATORS", "Policy", "Validator", "failing_items", "feedback", "judge"]
