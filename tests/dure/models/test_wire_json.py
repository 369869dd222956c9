import msgspec
import pytest

from dure.errors import MalformedResponse
from dure.models.ollama_chunks import decode_chunk
from dure.models.openai_chunks import decode


def test_numbers_and_truths_written_as_text_are_read() -> None:
    line = b'{"done":"true","eval_count":"3","prompt_eval_count":12.0,"message":null}'
    chunk = decode_chunk(line, server="s")
    assert (chunk.done, chunk.eval_count, chunk.prompt_eval_count, chunk.message) == (True, 3, 12, None)
    usage = decode(b'{"choices":[],"usage":{"prompt_tokens":"7","completion_tokens":2.0}}', server="s").usage
    assert usage is not None
    assert (usage.prompt_tokens, usage.completion_tokens) == (7, 2)


@pytest.mark.parametrize("data", [b'{"eval_count":"x"}', b'{"done":[]}', b"{", b"\xff", b'{"message":"\xff"}'])
def test_what_is_of_no_such_shape_is_named(data: bytes) -> None:
    with pytest.raises(MalformedResponse, match="s sent what is not of Ollama's API") as raised:
        decode_chunk(data, server="s")
    assert isinstance(raised.value.__cause__, msgspec.DecodeError | UnicodeDecodeError)
