"""The computed parts of the final report."""

from dure_spec.agents.task import Task
from dure_spec.agents.upstream import backend_of, erd_of, ia_of, prd_of


def plain_summary(task: Task) -> str:
    """What was designed, in figures; used when the model says nothing."""
    prd = prd_of(task)
    figures = (
        len(prd.reqs),
        len(ia_of(task).screens),
        len(erd_of(task).tables),
        sum(len(bo.ops) for bo in backend_of(task).bos),
    )
    if task.lang == "ko":
        return "{}: 요구사항 {}개, 화면 {}개, 테이블 {}개, 오퍼레이션 {}개로 설계했다.".format(
            prd.project.name, *figures
        )
    return "{}: {} requirements, {} screens, {} tables and {} operations.".format(prd.project.name, *figures)


def plain_steps(task: Task) -> tuple[str, ...]:
    """What to do next in any case: answer what is open, confirm what was assumed."""
    prd, korean = prd_of(task), task.lang == "ko"
    rows = [
        f"{question.id}에 답한다: {question.text}" if korean else f"Answer {question.id}: {question.text}"
        for question in prd.questions
    ]
    guessed = [req.id for req in prd.reqs if req.src == "inferred"]
    if guessed:
        ids = ", ".join(guessed)
        rows.append(f"문장에 없던 요구사항을 확인한다: {ids}" if korean else f"Confirm what was assumed: {ids}")
    rows.append(
        "필수 요구사항의 인수 조건을 사용자와 확인한다."
        if korean
        else "Go through the criteria of each Must with the users."
    )
    return tuple(rows[:4])


def decisions_of(task: Task) -> tuple[str, ...]:
    """What was decided in place of the user: the safe way instead of what was asked, the limits of the scope."""
    prd = prd_of(task)
    rows = [f"{question.text} → {question.default}" for question in prd.questions]
    if prd.out_of_scope:
        label = "이번 범위에서 제외" if task.lang == "ko" else "Left out of this design"
        rows.append(f"{label}: {', '.join(prd.out_of_scope)}")
    return tuple(rows)


def open_questions(task: Task) -> tuple[str, ...]:
    """Questions that only the user can answer, with their default."""
    return tuple(
        f"{question.id} {question.text} ({' / '.join(question.options)})" for question in prd_of(task).questions
    )


def assumptions(task: Task) -> tuple[str, ...]:
    """Requirements that the user did not say."""
    inferred = tuple(f"{req.id} {req.title}" for req in prd_of(task).reqs if req.src == "inferred")
    label = (
        "모델의 답을 쓸 수 없어 프로그램의 제안을 씀"
        if task.lang == "ko"
        else "Proposed by the program, for want of a usable answer"
    )
    return (*inferred, *(f"{label}: {about}" for about in task.defaulted))
