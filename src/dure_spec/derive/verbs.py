"""What a title's verb means: which operation it asks for and which state it leads to (Korean and English)."""

import re
from dataclasses import dataclass
from typing import Literal

from dure_spec.artifacts.shared import Language

Deed = Literal["create", "read", "update", "delete", "list", "transition", "login", "report"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Verb:
    """A verb found in a title."""

    word: str
    deed: Deed
    state: str | None = None
    """The state that the thing is in afterwards."""


_PLAIN: dict[Deed, str] = {
    "create": "등록 추가 생성 작성 기록 입력 예약 발주 가입 개설 업로드 제출 청구 발행 저장 주문 구매 문의 신고 만들기 "
    "create register add record book order enter write place open submit post upload reserve enroll enrol signup",
    "update": "수정 변경 갱신 조정 편집 설정 정정 이동 평가 update edit change adjust modify set move rate revise",
    "delete": "삭제 제거 delete remove",
    "list": "조회 검색 목록 열람 보기 현황 이력 확인 필터 view search list browse show find see look filter history",
    "report": "통계 리포트 보고서 보고 집계 대시보드 분석 매출 순위 "
    "report statistics dashboard analytics summary ranking leaderboard",
    "login": "로그인 인증 login signin authenticate",
}
_STATES = {
    "REQUESTED": "신청 요청 request apply",
    "RECEIVED": "접수 입고 수령 receive",
    "CONFIRMED": "확정 confirm",
    "APPROVED": "승인 결재 approve approval",
    "REJECTED": "반려 거절 거부 reject decline deny",
    "CANCELLED": "취소 철회 cancel cancellation withdraw",
    "COMPLETED": "완료 처리완료 complete finish done",
    "SHIPPED": "출고 발송 출하 ship dispatch",
    "DELIVERED": "배송 배달 배송완료 deliver delivery",
    "BORROWED": "대출 대여 borrow loan lend rent checkout",
    "RETURNED": "반납 반품 회수 return",
    "PAID": "결제 납부 수납 pay payment",
    "REFUNDED": "환불 refund",
    "ASSIGNED": "배정 할당 지정 assign",
    "IN_PROGRESS": "시작 착수 진행 start begin",
    "CLOSED": "마감 종료 종결 close end",
    "ON_HOLD": "보류 hold",
    "PUBLISHED": "게시 공개 배포 publish release",
    "REVIEWED": "검토 심사 review",
    "SUSPENDED": "정지 중지 suspend",
    "WITHDRAWN": "탈퇴 해지 terminate",
    "CHECKED_IN": "체크인 입실 방문 checkin arrive",
    "CHECKED_OUT": "체크아웃 퇴실",
    "DISCARDED": "폐기 discard dispose",
    "RESOLVED": "해결 resolve",
    "EXTENDED": "연장 extend renew",
}
_STATE_VERB = {
    "CANCELLED": "cancel",
    "CANCELED": "cancel",
    "SHIPPED": "ship",
    "SENT": "send",
    "PAID": "pay",
    "BORROWED": "borrow",
    "LENT": "lend",
    "IN_PROGRESS": "start",
    "STARTED": "start",
    "ON_HOLD": "hold",
    "CHECKED_IN": "check-in",
    "CHECKED_OUT": "check-out",
    "DONE": "finish",
    "ACTIVE": "activate",
    "INACTIVE": "deactivate",
    "OPEN": "open",
    "PENDING": "suspend",
    "WITHDRAWN": "withdraw",
    "SUBMITTED": "submit",
    "NO_SHOW": "mark-no-show",
    "OVERDUE": "mark-overdue",
    "DENIED": "deny",
    "APPLIED": "apply",
    "REFERRED": "refer",
    "STOPPED": "stop",
    "PLANNED": "plan",
}
_STEP_KO = {
    "approve": "승인",
    "assign": "배정",
    "borrow": "대출",
    "cancel": "취소",
    "check-in": "체크인",
    "check-out": "체크아웃",
    "close": "종료",
    "complete": "완료",
    "confirm": "확정",
    "deliver": "배송 완료",
    "discard": "폐기",
    "extend": "연장",
    "finish": "완료",
    "hold": "보류",
    "mark-no-show": "노쇼 처리",
    "mark-overdue": "연체 처리",
    "open": "시작",
    "pay": "결제",
    "publish": "게시",
    "receive": "접수",
    "refund": "환불",
    "reject": "반려",
    "request": "신청",
    "resolve": "해결",
    "return": "반납",
    "review": "검토",
    "schedule": "일정 확정",
    "ship": "출고",
    "start": "시작",
    "submit": "제출",
    "suspend": "중지",
    "withdraw": "철회",
    "activate": "활성화",
    "deactivate": "비활성화",
}
_KEPT_E = [
    "approv",
    "clos",
    "complet",
    "receiv",
    "resolv",
    "schedul",
    "assur",
    "expir",
    "releas",
    "remov",
    "restor",
    "archiv",
    "discontinu",
    "activat",
    "deactivat",
    "creat",
    "updat",
    "delet",
    "issu",
    "us",
    "purchas",
    "terminat",
    "renew_",
    "reserv",
    "invoic",
    "escalat",
    "dispos",
    "renegotiat",
]


def _verbs() -> dict[str, Verb]:
    found = {word: Verb(word=word, deed=deed) for deed, words in _PLAIN.items() for word in words.split()}
    for state, words in _STATES.items():
        for word in words.split():
            found[word] = Verb(word=word, deed="transition", state=state)
    return found


VERBS = _verbs()
_KOREAN = sorted((word for word in VERBS if re.match(r"[가-힣]", word)), key=len, reverse=True)


def title_verb(title: str) -> Verb | None:
    """The verb of a title: the last one in Korean, the first one in English."""
    return korean_verb(title) or english_verb(title)


def korean_verb(title: str) -> Verb | None:
    best: tuple[int, int, str] | None = None
    for word in _KOREAN:
        at = title.rfind(word)
        if at >= 0:
            hit = (at + len(word), len(word), word)
            best = hit if best is None or hit > best else best
    return VERBS[best[2]] if best else None


def english_verb(title: str) -> Verb | None:
    text = title.lower().replace("log in", "login").replace("sign in", "signin").replace("sign up", "signup")
    for word in re.findall(r"[a-z]+", text.replace("check in", "checkin").replace("check out", "checkout")):
        known = next((stem for stem in _stems(word) if stem in VERBS), None)
        if known is not None:
            return VERBS[known]
    return None


def _stems(word: str) -> list[str]:
    """What a form may come from: cancelling and approved from cancel and approve."""
    bare = word.removesuffix("ing").removesuffix("ed")
    single = bare[:-1] if len(bare) > 2 and bare[-1] == bare[-2] else bare
    return [word, word.removesuffix("s"), bare, single, f"{bare}e"]


def state_verb(state: str) -> str:
    """The path word that leads to a state (`CANCELLED` is reached by `cancel`)."""
    name = state.upper().replace(" ", "_").replace("-", "_")
    if name in _STATE_VERB:
        return _STATE_VERB[name]
    word = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if not word:
        return "change-status"
    if word.endswith("ied"):
        return word[:-3] + "y"
    if word.endswith("ed") and len(word) > 4:
        stem = word[:-2]
        return stem + "e" if stem in _KEPT_E else stem
    return f"mark-{word}"


def step_label(verb: str, lang: Language) -> str:
    """What a button says that performs a path word (`cancel` is 취소)."""
    plain = verb.removeprefix("mark-").replace("-", " ")
    return _STEP_KO.get(verb, plain) if lang == "ko" else plain.capitalize()
