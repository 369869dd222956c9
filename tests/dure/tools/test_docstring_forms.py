"""Docstrings of the three usual forms tell the model the same."""

import pytest

from dure.tools.docstring import read_docstring
from dure.tools.function import tool

GOOGLE = """Find things.

    Looks everywhere.

    Args:
        query (str): what to look for,
            in Korean or English
        limit (Callable[[], int], optional): at most so many

    Returns:
        names: of things

    Raises:
        ValueError: never
    """

NUMPY = """Find things.

    Looks everywhere.

    Parameters
    ----------
    query : str
        what to look for,
        in Korean or English
    limit : int, optional
        at most so many

    Returns
    -------
    names : list
        of things
    """

REST = """Find things.

    Looks everywhere.

    :param str query: what to look for,
        in Korean or English
    :type query: str
    :param limit: at most so many
    :raises ValueError: never
    :returns: names
    """


@pytest.mark.parametrize("docstring", [GOOGLE, NUMPY, REST])
def test_the_three_forms_tell_the_same(docstring: str) -> None:
    told = read_docstring(docstring)
    assert told.text == "Find things.\n\nLooks everywhere."
    assert told.parameters == {"query": "what to look for, in Korean or English", "limit": "at most so many"}


@pytest.mark.parametrize("docstring", [GOOGLE, NUMPY, REST])
def test_parameters_of_a_tool_are_described_in_any_form(docstring: str) -> None:
    def find(query: str, limit: int = 3) -> None: ...

    find.__doc__ = docstring
    properties = tool(find).definition.parameters["properties"]
    assert properties["query"]["description"] == "what to look for, in Korean or English"
    assert properties["limit"]["description"] == "at most so many"


def test_several_parameters_may_share_a_description_in_numpy_form() -> None:
    told = read_docstring("Move.\n\nParameters\n----------\nx, y : int\n    place\n*more\n    other places")
    assert told.parameters == {"x": "place", "y": "place", "more": "other places"}


def test_a_paragraph_after_a_section_goes_on_with_the_description() -> None:
    told = read_docstring("Do.\n\nArgs:\n    a: one\n\nOnly on weekdays.\n\nExample:\n    x\n")
    assert (told.text, told.parameters) == ("Do.\n\nOnly on weekdays.", {"a": "one"})


def test_a_description_that_looks_like_a_parameter_stays_in_its_place() -> None:
    told = read_docstring("Do.\n\nArgs:\n    url: where, as in\n        http: or https:\n    b:\n        two")
    assert told.parameters == {"url": "where, as in http: or https:", "b": "two"}


def test_words_like_a_heading_in_the_text_are_text() -> None:
    assert read_docstring("Returns: the stock.\n\nNote that args: are few").text == (
        "Returns: the stock.\n\nNote that args: are few"
    )


def test_fields_of_rest_that_are_not_about_parameters_are_left_out() -> None:
    told = read_docstring("Do.\n\n:keyword a: one\n:param:\n:rtype: str\n    more")
    assert (told.text, told.parameters) == ("Do.", {"a": "one"})
