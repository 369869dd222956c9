"""V12 DdlExecution: the design runs on a real engine, takes rows, and reads back as it was written."""

import logging
from collections.abc import Iterator

from dure_spec.artifacts.erd import Dialect, Erd
from dure_spec.engines.engine import EngineAway
from dure_spec.engines.opening import open_engine
from dure_spec.validators.ddl_checks import check_faults
from dure_spec.validators.ddl_definitions import definition_faults
from dure_spec.validators.ddl_trial import tried_on
from dure_spec.validators.index import Index
from dure_spec.validators.policy import Draft, Policy

_log = logging.getLogger(__name__)


def check_ddl(index: Index, policy: Policy) -> Iterator[Draft]:
    """What the design's own dialect would refuse, then everything that an engine refuses.

    A schema that somebody else wrote is not executed from our reading of it: only its own text can be judged so.
    """
    erd = index.artifacts.erd
    if erd is None:
        return
    dialect = policy.dialect or erd.meta.dialect
    faults = [*definition_faults(erd, dialect, policy), *check_faults(erd, dialect, policy)]
    yield from faults
    if policy.origin == "design" and not any(fault.severity == "critical" for fault in faults):
        yield from _tried(erd, dialect, policy)


def _tried(erd: Erd, dialect: Dialect, policy: Policy) -> list[Draft]:
    """The trial on PostgreSQL where a server is named and the design is for it, else on SQLite."""
    if policy.postgresql is not None and dialect == "postgresql":
        try:
            with open_engine(policy.postgresql) as engine:
                return list(tried_on(engine, erd, dialect, policy))
        except EngineAway as error:
            _log.warning("%s; the design is tried on SQLite alone", error)
    with open_engine(steps=policy.engine_steps) as engine:
        return list(tried_on(engine, erd, dialect, policy))
