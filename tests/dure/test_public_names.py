"""The public surface is a list somebody decided; this test keeps it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import dure

STUB = Path(dure.__file__).with_suffix(".pyi")


def test_the_public_names_are_these() -> None:
    assert " ".join(dure.__all__) == (
        "Advisor AgentSafety AssistantMessage BeforeAfterAdvisor Budget CallLimitAdvisor Chain ChatClient "
        "ChatOptions ChatRequest ChatResponse CompactionAdvisor ConfigError DureError EvaluationAdvisor Event "
        "FallbackAdvisor Finished MemoryAdvisor ModelError OrchestrationToolCallingAdvisor PromptCachingAdvisor "
        "Restarted RetrievalAdvisor RetryAdvisor RunContext SafeguardAdvisor ScriptedModel Signal "
        "StructuredOutputAdvisor TextDelta ToolCallingAdvisor ToolContext ToolError ToolSearchAdvisor Toolbox "
        "UserMessage open_model run_sync tool"
    )
    assert len(dure.__all__) <= 40


def test_every_public_name_comes_from_the_module_the_stub_says() -> None:
    imported: dict[str, str] = {}
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            imported.update({alias.name: str(node.module) for alias in node.names})
    assert sorted(imported) == dure.__all__
    for name, home in imported.items():
        assert getattr(dure, name) is getattr(sys.modules[home], name)


def test_the_list_is_shown_by_dir() -> None:
    assert dir(dure) == dure.__all__


def test_a_name_that_is_not_public_is_refused_by_name() -> None:
    wanted = "Advisors"
    with pytest.raises(AttributeError, match="'Advisors'"):
        getattr(dure, wanted)


def test_importing_dure_loads_nothing_heavy() -> None:
    program = "import sys, dure; print(*{'asyncio', 'pydantic', 'aiohttp', 'msgspec', 'jsonschema'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert loaded.stdout.strip() == ""


def test_the_chain_and_the_client_load_neither_pydantic_nor_a_wire() -> None:
    program = "import sys, dure.client; print(*{'pydantic', 'aiohttp', 'jsonschema'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert loaded.stdout.strip() == ""
