"""The table of validators: id, name, the stages whose gate runs it, and its checks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dure_spec.artifacts.shared import Stage
from dure_spec.validators.asked_for import check_asked
from dure_spec.validators.bo_mapping import check_mapping
from dure_spec.validators.column_types import check_types
from dure_spec.validators.coverage import check_coverage
from dure_spec.validators.ddl_execution import check_ddl
from dure_spec.validators.endpoints import check_endpoints
from dure_spec.validators.enforcement import check_enforcement
from dure_spec.validators.hygiene import check_hygiene
from dure_spec.validators.implied_references import check_implied_references
from dure_spec.validators.index import Index
from dure_spec.validators.interface_naming import check_interface_naming
from dure_spec.validators.keys import check_keys
from dure_spec.validators.listed_values import check_listed_values
from dure_spec.validators.naming import check_naming
from dure_spec.validators.navigation import check_navigation
from dure_spec.validators.normalization import check_normalization
from dure_spec.validators.openapi_check import check_openapi
from dure_spec.validators.policy import Draft, Policy
from dure_spec.validators.references import check_references
from dure_spec.validators.relationships import check_relationships
from dure_spec.validators.requirement_quality import check_requirements
from dure_spec.validators.reserved import check_reserved
from dure_spec.validators.type_by_name import check_types_by_name
from dure_spec.validators.ui_contract import check_ui
from dure_spec.validators.unique_rules import check_unique_rules

Check = Callable[[Index, Policy], Iterable[Draft]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Validator:
    """One validator; the supervisor's gate runs every one on the whole set."""

    id: str
    name: str
    stages: tuple[Stage, ...]
    checks: tuple[Check, ...]
    last: bool = False
    """Runs only where no other finding is critical: its errors would repeat them."""


VALIDATORS: tuple[Validator, ...] = (
    Validator(id="V01", name="RequirementQuality", stages=("ba",), checks=(check_requirements,)),
    Validator(
        id="V02",
        name="RequirementCoverage",
        stages=("ba", "planner", "dba", "backend", "frontend"),
        checks=(check_coverage, check_asked, check_enforcement),
    ),
    Validator(id="V03", name="NavigationIntegrity", stages=("planner",), checks=(check_navigation,)),
    Validator(
        id="V04", name="NamingConvention", stages=("dba", "backend"), checks=(check_naming, check_interface_naming)
    ),
    Validator(id="V05", name="ReservedWord", stages=("dba",), checks=(check_reserved,)),
    Validator(id="V06", name="PrimaryKey", stages=("dba",), checks=(check_keys, check_unique_rules)),
    Validator(
        id="V07", name="ReferenceIntegrity", stages=("dba",), checks=(check_references, check_implied_references)
    ),
    Validator(id="V08", name="TypeConsistency", stages=("dba",), checks=(check_types, check_types_by_name)),
    Validator(id="V09", name="RelationshipShape", stages=("dba",), checks=(check_relationships,)),
    Validator(id="V10", name="NormalizationSmell", stages=("dba",), checks=(check_normalization,)),
    Validator(id="V11", name="EntityHygiene", stages=("dba",), checks=(check_hygiene,)),
    Validator(id="V12", name="DdlExecution", stages=("dba",), checks=(check_ddl, check_listed_values), last=True),
    Validator(id="V13", name="BoColumnMapping", stages=("backend",), checks=(check_mapping,)),
    Validator(id="V14", name="EndpointConsistency", stages=("backend",), checks=(check_endpoints, check_openapi)),
    Validator(id="V15", name="UiContract", stages=("frontend",), checks=(check_ui,)),
)
