import pytest

from dure.errors import ConfigError
from dure.models.ollama_context import LARGEST, SMALLEST, ContextWindow, fixed_size, was_cut


def test_the_size_grows_in_doublings_and_never_shrinks() -> None:
    window = ContextWindow()
    assert [window.fitting(tokens) for tokens in (100, 8_192, 8_193, 20_000, 100, 10**9)] == [
        SMALLEST,
        SMALLEST,
        16_384,
        32_768,
        32_768,
        LARGEST,
    ]


def test_no_more_is_asked_for_than_the_model_was_trained_for() -> None:
    window = ContextWindow(most=100_000)
    window.learn(40_960)
    assert (window.fitting(1), window.fitting(90_000), window.limit) == (SMALLEST, 40_960, 40_960)
    small = ContextWindow()
    small.learn(2_048)
    assert (small.fitting(1), small.limit) == (2_048, 2_048)


def test_a_fixed_size_stays() -> None:
    window = ContextWindow(fixed=5_000)
    assert (window.fitting(1), window.fitting(50_000), window.is_known) == (5_000, 5_000, True)
    assert not window.grow(5_000, "context size", reserve=10)
    window.learn(4_096)
    assert window.fitting(1) == 4_096


def test_a_limit_is_known_once_somebody_set_it_or_the_model_told() -> None:
    window = ContextWindow()
    assert not window.is_known
    window.learn(None)
    assert (window.is_known, window.trained) == (False, None)
    window.learn(9_000)
    assert (window.is_known, window.trained) == (True, 9_000)


def test_a_refusal_that_tells_the_size_makes_just_enough_room() -> None:
    window = ContextWindow(most=131_072)
    told = "request (30000 tokens) exceeds the available context size (8192 tokens)"
    assert window.grow(8_192, told, reserve=4_000)
    assert window.fitting(0) == 65_536
    assert not window.grow(65_536, "request (200000 tokens) exceeds", reserve=0)


def test_a_refusal_without_a_size_doubles_until_the_limit() -> None:
    window = ContextWindow()
    sizes = [window.fitting(0)]
    while window.grow(sizes[-1], "the prompt is longer than the context length", reserve=100):
        sizes.append(window.fitting(0))
    assert sizes == [8_192, 16_384, 32_768]


def test_a_refusal_that_tells_less_than_was_allowed_still_makes_room() -> None:
    window = ContextWindow()
    assert window.grow(8_192, "request (5000 tokens) exceeds", reserve=0)
    assert window.fitting(0) == 16_384


@pytest.mark.parametrize(
    ("counted", "size", "text", "cut"),
    [
        (None, 8_192, 10**6, False),  # an old server says nothing of a cached prompt
        (0, 8_192, 10**6, False),
        (2_050, 4_096, 20_000, True),  # half the window and the four tokens it keeps
        (2_051, 4_096, 20_000, True),  # one more: the mark of the beginning
        (4_096, 4_096, 20_000, True),  # older servers cut to the window itself
        (4_095, 4_096, 20_000, True),
        (2_050, 4_096, 9_000, False),  # a short prompt that happens to have as many tokens
        (2_100, 4_096, 10_000, False),
        (900, 4_096, 20_000, True),  # whole messages were dropped: 22 bytes a token
        (3_800, 4_096, 20_000, False),  # 5 bytes a token: long words
        (2_900, 4_096, 20_000, False),  # 7 bytes a token: rare, but seen
        (5_000, 4_096, 20_000, False),  # an engine without a window
        (500, 4_096, 6_000, False),  # whitespace and rules: many bytes a token, but no reason to cut
    ],
)
def test_a_cut_prompt_is_noticed_by_its_count_and_an_honest_one_is_not(
    counted: int | None, size: int, text: int, cut: bool
) -> None:
    assert was_cut(counted=counted, size=size, text=text) is cut


def test_the_variable_fixes_the_size() -> None:
    assert fixed_size({}) is None
    assert fixed_size({"DURE_OLLAMA_NUM_CTX": " 16384 "}) == 16_384


@pytest.mark.parametrize("value", ["8k", "-1", "0", "1.5", "٣"])
def test_a_size_that_is_no_number_of_tokens_is_named(value: str) -> None:
    with pytest.raises(ConfigError, match=f"DURE_OLLAMA_NUM_CTX is '{value}'; give a number of tokens"):
        fixed_size({"DURE_OLLAMA_NUM_CTX": value})
    with pytest.raises(ConfigError, match="num_ctx must be a number of tokens"):
        ContextWindow(fixed=0)
    with pytest.raises(ConfigError, match="max_num_ctx must be a number of tokens"):
        ContextWindow(most=-1)
