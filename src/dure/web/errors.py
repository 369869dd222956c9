"""One shape for every error of a service: `{"error": {"code", "message", "details"}}`."""

from collections.abc import Mapping, Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse


class HttpError(Exception):
    """What a handler raises to answer with an error."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        details: Sequence[object] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        """A word for programs."""
        self.details = tuple(details)
        self.headers = headers

    def response(self) -> JSONResponse:
        """The answer."""
        body = {"error": {"code": self.code, "message": str(self), "details": list(self.details)}}
        return JSONResponse(body, status_code=self.status, headers=self.headers)


def answer_errors(app: FastAPI) -> None:
    """Give every error of this service the one shape, those of the framework and our own faults too."""

    async def ours(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HttpError)
        return error.response()

    async def of_the_framework(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        code = "not_found" if error.status_code == 404 else "refused"
        said = f"{request.method} {request.url.path[:200]}: {error.detail}"
        return HttpError(error.status_code, code, said, headers=error.headers).response()

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
        return HttpError(422, "invalid", "the request is not of the form that is asked for", details=faults).response()

    async def unexpected(request: Request, error: Exception) -> JSONResponse:  # the server logs it
        return HttpError(500, "failed", "the service failed; its log says where").response()

    app.add_exception_handler(HttpError, ours)
    app.add_exception_handler(HTTPException, of_the_framework)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, unexpected)
