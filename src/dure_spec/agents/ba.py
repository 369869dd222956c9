"""The BA: from one sentence to the requirements, the words of the domain and who does what."""

from dataclasses import replace
from typing import ClassVar, cast

from dure.chat import ChatOptions
from dure.errors import OutputInvalid
from dure_spec.agents.answers import (
    json_list,
    json_object,
    labelled_lines,
    numbered_lines,
    one_line,
    strings,
    unreadable,
)
from dure_spec.agents.ba_decisions import SLOTS, Decisions, is_copied, merged, names_in, own_entities, unproposed
from dure_spec.agents.ba_extras import asked_of_user
from dure_spec.agents.ba_prd import assemble
from dure_spec.agents.base import BaseAgent
from dure_spec.agents.charset import begun, choices, consequence, name, words
from dure_spec.agents.question import AnswerRefused, Question, StageState
from dure_spec.agents.sense import borrowed, strays
from dure_spec.agents.task import Task
from dure_spec.artifacts.shared import Language, Stage
from dure_spec.derive.words import josa
from dure_spec.patterns import PatternEntity, PatternRole
from dure_spec.patterns.propose import named
from dure_spec.patterns.words import Sentence
from dure_spec.wire import prd as wire
from dure_spec.wire.grammars import text_literal

_YES_NO: dict[Language, tuple[str, str]] = {"ko": ("필요", "무관"), "en": ("needed", "unrelated")}
_NOTHING: dict[Language, str] = {
    "ko": "문장에서도 모델의 답에서도 요구사항을 찾지 못했습니다; 누가 무엇을 저장하고 처리하는지 문장에 적으세요",
    "en": "neither the sentence nor the model named a requirement; say in the sentence who keeps and does what",
}
_FEW = 3
"""Below so many proposed entities the model is asked for its own."""


class BaState(StageState):
    """What the BA's model decided so far."""

    decisions: Decisions = Decisions()


class BaAgent(BaseAgent[BaState]):
    """Asks a small model five short questions, a large one for the whole PRD."""

    stage: ClassVar[Stage] = "ba"

    def system_prompt(self, task: Task) -> str:
        """The analyst."""
        return task.prompts.render("system")

    def state_fields(self) -> BaState:
        """Nothing decided."""
        return BaState()

    def before_model(self, task: Task, state: BaState) -> Question | None:
        """The next open question; with a large model there is only one."""
        if not task.small:
            return None if "whole" in state.answered else _whole(task)
        makers = (_project, _optional, _own, _roles, _features, _sentences)
        for make in makers:
            question = make(task, state.decisions)
            if question is not None and question.key not in state.answered:
                return question
        return None

    def after_model(self, task: Task, state: BaState, question: Question | None, text: str | None) -> BaState:
        """Decisions with the answer in them, or the PRD at the end."""
        if question is None:
            if state.artifact is not None:
                return state
            prd = assemble(task.intake, task.proposal, state.decisions)
            if not prd.reqs:
                raise OutputInvalid(_NOTHING[task.lang])
            return state.model_copy(update={"artifact": prd})
        if question.key == "whole":
            parsed = wire.parse(text or "", lang=task.lang)
            if not parsed.artifact.reqs:
                raise unreadable(parsed.faults)
            return state.model_copy(update={"artifact": parsed.artifact})
        if text is None:
            return state
        readers = {
            "project": _read_project,
            "optional": _read_optional,
            "own": _read_own,
            "roles": _read_roles,
            "features": _read_features,
            "sentences": _read_sentences,
        }
        return state.model_copy(update={"decisions": readers[question.key](task, state.decisions, text)})


def _whole(task: Task) -> Question:
    terms = ", ".join(_label(task, entity) for entity in task.proposal.entities) or "-"
    notes = "; ".join(f"{text} → {default}" for text, _, default in asked_of_user(task.intake)) or "-"
    prompt = task.prompts.render("whole", sentence=task.intake.sentence, terms=terms, notes=notes)
    options = ChatOptions(temperature=0.2, max_tokens=4000)
    return Question(key="whole", about=_about(task, "요구사항 정의서", "requirements"), prompt=prompt, options=options)


def _project(task: Task, decisions: Decisions) -> Question:
    lang = task.lang
    grammar = 'root ::= "{\\"name\\": \\"" name "\\", \\"summary\\": \\"" text "\\"}"\n'
    grammar += f"name ::= {name(lang, 24)}\ntext ::= {words(lang, shortest=12, longest=70)}"
    return _asked(
        task, "project", _about(task, "이름과 설명", "name and summary"), grammar, 120, sentence=task.intake.sentence
    )


def _optional(task: Task, decisions: Decisions) -> Question | None:
    open_ones = _open_entities(task)
    if not open_ones:
        return None
    labels = [_label(task, entity) for entity in open_ones]
    grammar = choices([(label, _YES_NO[task.lang]) for label in labels])
    about = _about(task, "필요한 데이터 고르기", "which data is needed")
    return _asked(
        task, "optional", about, grammar, 20 * len(labels), sentence=task.intake.sentence, items="\n".join(labels)
    )


def _own(task: Task, decisions: Decisions) -> Question | None:
    known = len(task.proposal.entities)
    spoken = any(named(entity, Sentence.of(task.intake.sentence)) for entity in task.proposal.entities)
    missing = unproposed(task.intake.sentence, task.proposal, task.lang)
    enough = (not missing and known >= _FEW and (spoken or task.intake.scope == "broad")) or (
        task.intake.scope == "small" and known > 0
    )
    if enough or not (task.intake.needs_database or known):
        return None
    text = name(task.lang, 12)
    pair = f'pair ::= "\\"" {text} "=" [a-z]{{2,14}} ("_" [a-z]{{2,10}}){{0,2}} "\\""'
    fields = ' ", " '.join(text_literal(f'"{slot}": ') + " list" for slot in SLOTS[task.lang])
    grammar = f'root ::= "{{" {fields} "}}"\nlist ::= "[" (pair (", " pair){{0,1}})? "]"\n{pair}'
    about = _about(task, "저장할 데이터 찾기", "what to store")
    question = _asked(task, "own", about, grammar, 260, sentence=task.intake.sentence)
    return question if known else _needed(question)


def _roles(task: Task, decisions: Decisions) -> Question | None:
    if task.proposal.roles:
        return None
    who, goal = name(task.lang, 12), words(task.lang, shortest=6, longest=40)
    role = f'"{{\\"name\\": \\"" {who} "\\", \\"goal\\": \\"" {goal} "\\"}}"'
    grammar = f'root ::= "[" role (", " role){{0,2}} "]"\nrole ::= {role}'
    return _asked(
        task, "roles", _about(task, "사용자 찾기", "who uses it"), grammar, 160, sentence=task.intake.sentence
    )


def _features(task: Task, decisions: Decisions) -> Question | None:
    """Asked only where nothing is stored: otherwise the entities say what is done with them."""
    if merged(task.proposal, decisions)[1]:
        return None
    lines = name(task.lang, 20)
    grammar = f'root ::= "1. " line "\\n2. " line ("\\n3. " line ("\\n4. " line)?)?\nline ::= {lines}'
    about = _about(task, "할 수 있는 일", "what one can do")
    return _needed(_asked(task, "features", about, grammar, 120, sentence=task.intake.sentence))


def _sentences(task: Task, decisions: Decisions) -> Question | None:
    """Every line begins with its title and who acts, so that a small model cannot slip to another line's work."""
    rows = _wanted(task, decisions)
    if not rows:
        return None
    items = "\n".join(
        f"{i}. {title} ({who}{'; ' if terms else ''}{', '.join(terms)})"
        for i, (title, who, terms) in enumerate(rows, 1)
    )
    beginnings = [f"{i}. {title}: {_acts(who, task.lang)} " for i, (title, who, _) in enumerate(rows, 1)]
    grammar = begun(beginnings, consequence(task.lang))
    about = _about(task, f"요구사항 {len(rows)}개의 문장", f"{len(rows)} requirement sentences")
    system = decisions.name or task.intake.sentence
    return _asked(task, "sentences", about, grammar, 80 * len(rows), system=system, items=items)


def _acts(who: str, lang: Language) -> str:
    return josa(who, "이/가") if lang == "ko" else f"When the {who}"


def _wanted(task: Task, decisions: Decisions) -> list[tuple[str, str, tuple[str, ...]]]:
    """Titles of the requirements, who does them, and the terms that they deal with."""
    entities, features = merged(task.proposal, decisions)
    labels = {entity.en: _label(task, entity) for entity in entities if entity.kind not in ("log", "code")}
    roles = {role.en: role for role in (decisions.roles or task.proposal.roles)}
    anyone = "사용자" if task.lang == "ko" else "user"
    if not features:
        return [(title, anyone, ()) for title in decisions.titles]
    rows: list[tuple[str, str, tuple[str, ...]]] = []
    for feature in features:
        who = [roles[role].ko if task.lang == "ko" else roles[role].en for role in feature.roles if role in roles]
        terms = tuple(labels[name] for name in feature.entities if name in labels)
        rows.append((feature.ko if task.lang == "ko" else feature.en, who[0] if who else anyone, terms))
    return rows


def _needed(question: Question) -> Question:
    """A question without whose answer there is nothing to design."""
    return replace(question, optional=False)


def _asked(task: Task, key: str, about: str, grammar: str, max_tokens: int, **values: str) -> Question:
    options = ChatOptions(temperature=0.0, max_tokens=max_tokens, grammar=grammar if task.grammar else None)
    return Question(
        key=key,
        about=about,
        prompt=task.prompts.render(key, **values),
        examples=task.prompts.examples(key),
        options=options,
        optional=True,
    )


def _about(task: Task, ko: str, en: str) -> str:
    return ko if task.lang == "ko" else en


def _label(task: Task, entity: PatternEntity) -> str:
    return entity.ko if task.lang == "ko" else entity.en.replace("_", " ")


def _open_entities(task: Task) -> list[PatternEntity]:
    return [entity for entity in task.proposal.entities if not entity.core]


def _read_project(task: Task, decisions: Decisions, text: str) -> Decisions:
    data = json_object(text)
    title, summary = one_line(data.get("name"), 60), one_line(data.get("summary"), 300)
    if not title or not summary:
        raise AnswerRefused('expected {"name": "…", "summary": "…"}')
    entities = (_label(task, entity) for entity in task.proposal.entities)
    own = "\n".join((task.intake.sentence, title, task.prompts.template("project"), *entities))
    if borrowed(summary, [answer for _, answer in task.prompts.examples("project")], own):
        summary = ""
    return decisions.model_copy(update={"name": title, "summary": summary})


def _read_optional(task: Task, decisions: Decisions, text: str) -> Decisions:
    no = _YES_NO[task.lang][1]
    answers = labelled_lines(text)
    open_ones = _open_entities(task)
    if not any(_label(task, entity) in answers for entity in open_ones):
        raise AnswerRefused(f"expected one line for each: {', '.join(_label(task, one) for one in open_ones)}")
    dropped = tuple(one.en for one in open_ones if answers.get(_label(task, one), "").startswith(no))
    return decisions.model_copy(update={"dropped": dropped})


def _read_own(task: Task, decisions: Decisions, text: str) -> Decisions:
    shown = names_in(answer for _, answer in task.prompts.examples("own"))
    slots = {
        slot: [pair for pair in strings(values, most=4, longest=60) if not is_copied(pair, shown)]
        for slot, values in json_object(text).items()
    }
    known = {entity.en for entity in task.proposal.entities}
    own = own_entities(slots, task.lang, known)
    if not own and not known and task.intake.needs_database:
        raise AnswerRefused("no data to store was named")
    return decisions.model_copy(update={"own": own})


def _read_roles(task: Task, decisions: Decisions, text: str) -> Decisions:
    roles: dict[str, PatternRole] = {}
    for row in json_list(text)[:3]:
        fields = cast("dict[str, object]", row) if isinstance(row, dict) else {}
        title, goal = one_line(fields.get("name"), 60), one_line(fields.get("goal"), 60)
        if title:
            role = PatternRole.model_construct(en=title, ko=title, goal_ko=goal or title, goal_en=goal or title)
            roles.setdefault(title, role)
    if not roles:
        raise AnswerRefused('expected [{"name": "…", "goal": "…"}]')
    return decisions.model_copy(update={"roles": tuple(roles.values())})


def _read_features(task: Task, decisions: Decisions, text: str) -> Decisions:
    titles = tuple(dict.fromkeys(title[:60] for title in numbered_lines(text).values()))[:4]
    if not titles:
        raise AnswerRefused("expected 2 to 4 numbered titles")
    return decisions.model_copy(update={"titles": titles})


def _read_sentences(task: Task, decisions: Decisions, text: str) -> Decisions:
    titles = [title for title, _, _ in _wanted(task, decisions)]
    found = numbered_lines(text)
    if not found:
        raise AnswerRefused(f"expected {len(titles)} lines, each with its number")
    lines = [found.get(i, "")[:400] for i in range(1, len(titles) + 1)]
    said = [line.removeprefix(title).lstrip(" :：") for line, title in zip(lines, titles, strict=True)]
    examples = [question for question, _ in task.prompts.examples("sentences")]
    template = task.prompts.template("sentences")
    entities = (_label(task, entity) for entity in task.proposal.entities)
    own = "\n".join((task.intake.sentence, decisions.name, decisions.summary, template, *titles, *entities))
    off = strays(said, titles)
    said = ["" if i in off or borrowed(one, examples, own) else one for i, one in enumerate(said)]
    return decisions.model_copy(update={"sentences": tuple(said)})
