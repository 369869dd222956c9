"""The HTTP application: health, the prompts in use, and their refresh by whoever holds the admin token."""

import logging
from importlib.metadata import version
from typing import Annotated

from fastapi import FastAPI, Header

from dure.prompts import PromptStore
from dure.web import HttpError, RequestLimits, answer_errors, check_bearer
from dure_spec.service.admin_token import TOKEN_VARIABLE
from dure_spec.service.answers import (
    HealthAnswer,
    PromptsAnswer,
    RefreshAnswer,
    fault_rows,
    prompts_answer,
    refresh_answer,
)

logger = logging.getLogger(__name__)


def create_app(store: PromptStore, *, admin_token: str | None = None) -> FastAPI:
    """The application over a store of prompts that was loaded; without a token nothing can be changed over HTTP."""
    app = FastAPI(title="dure", version=version("dure"), docs_url=None, redoc_url=None, redirect_slashes=False)
    app.add_middleware(RequestLimits)
    answer_errors(app)

    async def health() -> HealthAnswer:
        return HealthAnswer(version=version("dure"))

    async def prompts() -> PromptsAnswer:
        return prompts_answer(store)

    async def refresh_prompts(authorization: Annotated[str | None, Header()] = None) -> RefreshAnswer:
        _admit(authorization, admin_token)
        return await _refreshed(store)

    for path, answer in (("/health", health), ("/prompts", prompts)):
        app.add_api_route(path, answer, methods=["GET"])
        app.add_api_route(path, answer, methods=["HEAD"], include_in_schema=False)
    app.add_api_route("/refresh-prompts", refresh_prompts, methods=["POST"])
    return app


def _admit(authorization: str | None, token: str | None) -> None:
    access = check_bearer(authorization, token)
    if access == "closed":
        said = f"this service takes no changes: set {TOKEN_VARIABLE} where it runs, and start it again"
        raise HttpError(403, "no_admin_token", said)
    if access == "denied":
        said = "the admin token is missing or wrong: send it as 'Authorization: Bearer …'"
        raise HttpError(401, "wrong_token", said, headers={"WWW-Authenticate": "Bearer"})


async def _refreshed(store: PromptStore) -> RefreshAnswer:
    outcome = await store.refresh()
    if outcome.status == "faulty":
        logger.warning("prompts not refreshed: %s", outcome.trouble())
        said = f"{outcome.source} has faulty prompts: those in use stay"
        raise HttpError(
            422, "faulty_prompts", said, details=[fault.model_dump() for fault in fault_rows(outcome.faults)]
        )
    if outcome.status == "away":
        logger.warning("prompts not refreshed: %s", outcome.trouble())
        raise HttpError(503, "source_away", outcome.reason)
    logger.info("prompts refreshed from %s: %d changed", outcome.source, len(outcome.changes))
    return refresh_answer(outcome)
