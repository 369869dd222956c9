"""The backend artifact as an OpenAPI 3.1 document that generators, mock servers and people can use as it is."""

import re
from typing import Any

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.backend import Bo, Op
from dure_spec.artifacts.prd import Project
from dure_spec.artifacts.shared import Language
from dure_spec.derive.op_labels import button_labels, language_of, op_label
from dure_spec.derive.openapi_schemas import Schemas, pascal

_PARAMETER = re.compile(r"\{([^{}]*)\}")
_STRAY = re.compile(r"\{(?![^{}]+\})|(?<!\w)\}")
_COLON = re.compile(r"(?<=/):([A-Za-z_]\w*)")
_STANDARD = {"401": "UNAUTHORIZED", "403": "FORBIDDEN", "404": "NOT_FOUND"}
_WORDS: dict[Language, dict[str, str]] = {
    "ko": {
        "ok": "성공",
        "401": "로그인이 필요하거나 토큰이 만료됨",
        "403": "이 작업을 할 권한이 없음",
        "404": "대상을 찾을 수 없음",
        "page": "쪽 번호(1부터)",
        "size": "한 쪽의 건수",
        "error": "작업이 거절됨",
        "roles": "권한",
        "all": "로그인한 모든 사용자",
        "open": "로그인 없이 호출",
    },
    "en": {
        "ok": "Success",
        "401": "Not logged in, or the token has expired",
        "403": "Not allowed to do this",
        "404": "No such item",
        "page": "Page number, from 1",
        "size": "Rows on a page",
        "error": "Refused",
        "roles": "Roles",
        "all": "Everyone who is logged in",
        "open": "No login needed",
    },
}


def openapi_document(artifacts: Artifacts) -> dict[str, Any]:
    """Build the document; a run without a backend gives a valid one without paths.

    Two operations on one method and path cannot both stand in it: the first stays, and names the others in
    `x-conflicts`. Paths that differ only in the names of their parameters are joined under the first spelling.
    """
    bos = artifacts.backend.bos if artifacts.backend else ()
    builder = _Builder(artifacts)
    for bo in bos:
        for op in bo.ops:
            builder.add(op, bo)
    builder.schemas.make(bos)
    project = artifacts.prd.project if artifacts.prd else None
    return {
        "openapi": "3.1.0",
        "info": _info(project),
        "tags": [
            {"name": name, "description": f"{bo} · {next(each.table for each in bos if each.id == bo)}"}
            for bo, name in builder.tags.items()
        ],
        "security": [{"bearerAuth": []}],
        "paths": builder.paths,
        "components": {
            "securitySchemes": {"bearerAuth": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "schemas": {"Error": _error_schema(), **builder.schemas.parts},
            "responses": {
                name: _error_response(builder.words[status], [_STANDARD[status]])
                for name, status in (("Unauthorized", "401"), ("Forbidden", "403"), ("NotFound", "404"))
            },
        },
    }


class _Builder:
    """Collects paths; every name it hands out is used once."""

    def __init__(self, artifacts: Artifacts) -> None:
        self.lang: Language = language_of(artifacts)
        self.words = _WORDS[self.lang]
        self.schemas = Schemas(artifacts)
        self.paths: dict[str, dict[str, Any]] = {}
        self._spellings: dict[str, str] = {}
        self._buttons = button_labels(artifacts)
        self._bos = artifacts.backend.bos if artifacts.backend else ()
        self.tags = _tags(self._bos)
        prd = artifacts.prd
        self._actors = {actor.id: actor.name for actor in prd.actors} if prd else {}
        self._rules = {rule.id: rule.text for rule in prd.rules} if prd else {}
        self._ids: set[str] = set()

    def add(self, op: Op, bo: Bo) -> None:
        """Put an operation at its place."""
        path = self._path(op.path)
        item = self.paths.setdefault(path, {})
        method = op.method.lower()
        if method in item:
            item[method].setdefault("x-conflicts", []).append(op.id)
            return
        item[method] = self._operation(op, bo, path)

    def _path(self, raw: str) -> str:
        path = _COLON.sub(r"{\1}", "/" + raw.split("?")[0].strip().strip("/"))
        seen: dict[str, int] = {}

        def unique(match: re.Match[str]) -> str:
            name = match[1].strip() or "id"
            seen[name] = seen.get(name, 0) + 1
            return "{" + (name if seen[name] == 1 else f"{name}{seen[name]}") + "}"

        path = _PARAMETER.sub(unique, path)
        path = _STRAY.sub("", path)
        return self._spellings.setdefault(_PARAMETER.sub("{}", path), path)

    def _operation(self, op: Op, bo: Bo, path: str) -> dict[str, Any]:
        names = _PARAMETER.findall(path)
        sent = [name for name in op.in_ if name not in names]
        in_body = op.method not in ("GET", "DELETE")
        parameters = [self._path_parameter(name, path, bo) for name in names]
        if op.kind == "list":
            parameters += [_page_parameter("page", 1, self.words), _page_parameter("size", 20, self.words)]
        if not in_body:
            known = {parameter["name"] for parameter in parameters}
            parameters += [self._query(bo, name) for name in dict.fromkeys(sent) if name not in known]
        operation: dict[str, Any] = {
            "operationId": self._operation_id(op),
            "tags": [self.tags[bo.id]],
            "summary": op_label(op, bo, lang=self.lang, buttons=self._buttons),
            "description": self._description(op),
        }
        if parameters:
            operation["parameters"] = parameters
        if in_body and sent:
            body = {"schema": self.schemas.request(op, bo, sent)}
            operation["requestBody"] = {"required": True, "content": {"application/json": body}}
        operation["responses"] = self._responses(op, has_target=bool(names))
        if op.kind == "login":
            operation["security"] = []
        return operation | {"x-operation": op.id, "x-roles": list(op.roles), "x-requirements": list(op.reqs)}

    def _operation_id(self, op: Op) -> str:
        words = pascal(op.id.removeprefix("OP-"))
        wish = words[:1].lower() + words[1:]
        name, number = wish, 2
        while name in self._ids:
            name, number = f"{wish}{number}", number + 1
        self._ids.add(name)
        return name

    def _description(self, op: Op) -> str:
        if op.kind == "login":
            who = self.words["open"]
        elif "*" in op.roles:
            who = self.words["all"]
        else:
            who = ", ".join(self._actors.get(role, role) for role in op.roles)
        lines = [f"{self.words['roles']}: {who}"]
        lines += [f"- {rule} {self._rules.get(rule, '')}".rstrip() for rule in op.rules]
        return "\n".join(lines)

    def _path_parameter(self, name: str, path: str, bo: Bo) -> dict[str, Any]:
        prefix = path.split("{" + name + "}")[0].rstrip("/")
        owner = next((each for each in self._bos if any(op.path.rstrip("/") == prefix for op in each.ops)), bo)
        known = any(attr.name == name for attr in bo.attrs)
        schema = self.schemas.key(owner) if name.startswith("id") or not known else self.schemas.field(bo, name)
        return {"name": name, "in": "path", "required": True, "schema": schema}

    def _query(self, bo: Bo, name: str) -> dict[str, Any]:
        return {"name": name, "in": "query", "schema": self.schemas.field(bo, name)}

    def _responses(self, op: Op, *, has_target: bool) -> dict[str, Any]:
        done: dict[str, Any] = {"description": self.words["ok"]}
        if op.kind != "delete":
            schema = self.schemas.page(op.out) if op.kind == "list" else self.schemas.answer(op.out)
            done["content"] = {"application/json": {"schema": schema}}
        status = {"create": "201", "delete": "204"}.get(op.kind, "200")
        codes: dict[str, list[str]] = {}
        for error in op.errors:
            key = str(error.http) if 400 <= error.http <= 599 else "default"
            codes.setdefault(key, []).append(error.code)
        responses: dict[str, Any] = {status: done}
        if op.kind != "login":
            responses["401"] = {"$ref": "#/components/responses/Unauthorized"}
            if "*" not in op.roles:
                responses["403"] = {"$ref": "#/components/responses/Forbidden"}
        if has_target:
            responses["404"] = {"$ref": "#/components/responses/NotFound"}
        for key, found in codes.items():
            standard = _STANDARD.get(key, "") if key in responses else ""
            if found == [standard]:
                continue
            known = self.words.get(key, self.words["error"]) if standard else self.words["error"]
            named = [standard, *found] if standard else found
            responses[key] = _error_response(known, list(dict.fromkeys(named)))
        return dict(sorted(responses.items()))


def _info(project: Project | None) -> dict[str, Any]:
    if project is None:
        return {"title": "API", "version": "1.0.0"}
    return {"title": project.name or "API", "version": "1.0.0", "description": project.summary}


def _tags(bos: tuple[Bo, ...]) -> dict[str, str]:
    tags: dict[str, str] = {}
    for bo in bos:
        name = bo.name or bo.id
        tags.setdefault(bo.id, f"{name} ({bo.id})" if name in tags.values() else name)
    return tags


def _page_parameter(name: str, default: int, words: dict[str, str]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "integer", "minimum": 1, "default": default}
    if name == "size":
        schema["maximum"] = 100
    return {"name": name, "in": "query", "description": words[name], "schema": schema}


def _error_schema() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["code", "message"],
        "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
    }


def _error_response(description: str, codes: list[str]) -> dict[str, Any]:
    narrowed = {"type": "object", "properties": {"code": {"enum": codes}}}
    schema = {"allOf": [{"$ref": "#/components/schemas/Error"}, narrowed]}
    return {
        "description": f"{description}: {', '.join(codes)}",
        "content": {"application/json": {"schema": schema}},
    }
