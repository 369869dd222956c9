"""A screen from its place: name, route, roles and buttons."""

from dure_spec.artifacts.ia import Action, Screen
from dure_spec.artifacts.prd import Prd, Requirement
from dure_spec.artifacts.shared import Language
from dure_spec.derive.ia_places import HOME, Place
from dure_spec.derive.subjects import deed_of, deletes, roles_of
from dure_spec.derive.words import kebab, plural, snake

_NAMES: dict[Language, dict[str, str]] = {
    "ko": {
        "auth": "로그인",
        "list": "{} 목록",
        "new": "{} 등록",
        "edit": "{} 편집",
        "detail": "{} 상세",
        "report": "{} 현황",
    },
    "en": {
        "auth": "Sign in",
        "list": "{} list",
        "new": "New {}",
        "edit": "Edit {}",
        "detail": "{} details",
        "report": "{} report",
    },
}
_BUTTONS: dict[Language, dict[str, str]] = {
    "ko": {"login": "로그인", "read": "검색", "create": "등록", "update": "저장", "delete": "삭제"},
    "en": {"login": "Sign in", "read": "Search", "create": "Create", "update": "Save", "delete": "Delete"},
}


def build_screen(place: Place, prd: Prd, screen_id: str, links: tuple[str, ...]) -> Screen:
    """The screen of a place."""
    return Screen(
        id=screen_id,
        name=_name(place, prd),
        route=_route(place, prd),
        type=place.host,
        roles=_roles(place, prd),
        reqs=tuple(req.id for req in place.reqs),
        actions=_actions(place, prd),
        links=links,
    )


def is_new_form(place: Place) -> bool:
    """Whether the form only creates; it edits as well where the entity is managed and has no detail screen."""
    return "manage" not in place.deeds or "detail" in place.hosts


def _name(place: Place, prd: Prd) -> str:
    if place.host == "dashboard":
        return prd.project.name
    kind = place.host if place.host != "form" else "new" if is_new_form(place) else "edit"
    name = _NAMES[prd.project.lang][kind].format(place.entity)
    return name[:1].upper() + name[1:]


def _route(place: Place, prd: Prd) -> str:
    if place.host == "auth":
        return "/login"
    if place.entity == HOME:
        return "/"
    base = entity_path(place.entity, prd)
    match place.host:
        case "report":
            return f"/reports{base}"
        case "form":
            return f"{base}/new" if is_new_form(place) else f"{base}/:id"
        case "detail":
            return f"{base}/:id"
        case _:
            return base


def entity_path(entity: str, prd: Prd) -> str:
    """`/purchase-orders` for a term; two terms with the same English word are told apart by number."""
    terms = [term.term for term in prd.glossary]
    paths = [f"/{kebab(plural(snake(term.en)))}" for term in prd.glossary]
    at = terms.index(entity) if entity in terms else len(terms)
    path = paths[at] if at < len(paths) else "/"
    if path in ("/", "/login", "/reports") or path in paths[:at]:
        return f"{path.rstrip('/')}-{at + 1}" if path != "/" else f"/items-{at + 1}"
    return path


def _roles(place: Place, prd: Prd) -> tuple[str, ...]:
    shared = place.host in ("list", "detail")
    return roles_of((*place.family, *place.reqs) if shared else place.reqs, prd)


def _actions(place: Place, prd: Prd) -> tuple[Action, ...]:
    return tuple(action for req in place.reqs for action in _actions_of(place, req, prd))


def _actions_of(place: Place, req: Requirement, prd: Prd) -> list[Action]:
    words = _BUTTONS[prd.project.lang]
    deed = deed_of(req, prd)
    match place.host:
        case "auth":
            kind = "create" if deed == "create" else "login"
            return [Action(kind=kind, label=req.title if deed == "create" else words["login"], req=req.id)]
        case "list" | "report":
            reads = deed in ("manage", "list", "read", "report")
            return [Action(kind="read", label=words["read"], req=req.id)] if reads else []
        case "form":
            edits = deed == "manage" and not is_new_form(place)
            create = Action(kind="create", label=words["create"], req=req.id)
            return [create, Action(kind="update", label=words["update"], req=req.id)] if edits else [create]
        case "detail":
            return _detail_actions(req, prd, words)
        case "dashboard":
            return []


def _detail_actions(req: Requirement, prd: Prd, words: dict[str, str]) -> list[Action]:
    match deed_of(req, prd):
        case "transition":
            return [Action(kind="transition", label=req.title, req=req.id)]
        case "update":
            return [Action(kind="update", label=req.title, req=req.id)]
        case "delete":
            return [Action(kind="delete", label=req.title, req=req.id)]
        case "create":
            return [Action(kind="create", label=req.title, req=req.id)]
        case "manage":
            save = Action(kind="update", label=words["update"], req=req.id)
            remove = Action(kind="delete", label=words["delete"], req=req.id)
            return [save, remove] if deletes(req) else [save]
        case _:
            return []
