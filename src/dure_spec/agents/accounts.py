"""People of several roles share a system only behind a login, whether or not the sentence says so."""

from dure_spec.intake import Intake
from dure_spec.patterns import ColumnHint, PatternEntity, PatternFeature, Proposal

_ACCOUNT = PatternEntity(
    en="app_user",
    ko="사용자",
    kind="party",
    core=True,
    synonyms_ko=("계정",),
    synonyms_en=("account", "login"),
    columns=(
        ColumnHint(name="email", ddl="varchar(254) unique", ko="이메일"),
        ColumnHint(name="password_hash", ddl="varchar(255)", ko="비밀번호해시"),
        ColumnHint(name="display_name", ddl="varchar(100)", ko="이름"),
        ColumnHint(name="role", ddl="varchar(20)", ko="역할"),
    ),
)


def with_accounts(proposal: Proposal, intake: Intake) -> Proposal:
    """The proposal with accounts and a login, where it has several roles, tables, and no login yet."""
    has_login = any(feature.kind == "auth" for feature in proposal.features)
    taken = any(entity.en == _ACCOUNT.en or entity.ko == _ACCOUNT.ko for entity in proposal.entities)
    if has_login or taken or len(proposal.roles) < 2 or intake.scope == "small" or not intake.needs_database:
        return proposal
    login = PatternFeature(
        ko="로그인",
        en="Log in",
        kind="auth",
        action="login",
        pri="M",
        entities=(_ACCOUNT.en,),
        roles=tuple(role.en for role in proposal.roles),
    )
    return proposal.model_copy(
        update={"entities": (*proposal.entities, _ACCOUNT), "features": (login, *proposal.features)}
    )
