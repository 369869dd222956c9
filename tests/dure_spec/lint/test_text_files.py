"""Files of any encoding are text, and are written back in it."""

import codecs
from pathlib import Path

import pytest

from dure_spec.lint.text_files import UnusableFile, read_text, write_whole

_TEXT = "CREATE TABLE 상점 (id int, 이름 varchar(9));\r\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (_TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + _TEXT.encode(), "utf-8"),
        (_TEXT.encode("utf-16"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + _TEXT.encode("utf-16-be"), "utf-16-be"),
        (_TEXT.encode("cp949"), "cp949"),
    ],
)
def test_encoding_is_told_and_kept(tmp_path: Path, data: bytes, encoding: str) -> None:
    path = tmp_path / "a.sql"
    path.write_bytes(data)
    file = read_text(str(path))
    assert (file.text, file.encoding) == (_TEXT, encoding)
    assert file.encoded(file.text) == data


def test_western_text_and_utf_16_without_a_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.sql"
    path.write_bytes("CREATE TABLE cafés (né int);".encode("latin-1"))
    file = read_text(str(path))
    assert file.text == "CREATE TABLE cafés (né int);"
    with pytest.raises(UnusableFile, match="cannot write"):
        file.encoded("상점")
    path.write_bytes("CREATE TABLE cafes (id int);".encode("utf-16-le"))
    assert read_text(str(path)).encoding == "utf-16-le"


@pytest.mark.parametrize(
    "data", [b"", b" \n\t", codecs.BOM_UTF8, b"\x89PNG\r\n\x1a\n" + bytes(40), bytes(range(1, 200))]
)
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.sql"
    path.write_bytes(data)
    with pytest.raises(UnusableFile, match=r"a\.sql: (empty|no text)"):
        read_text(str(path))


def test_file_is_replaced_whole_behind_a_link_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    real, link = tmp_path / "real.sql", tmp_path / "link.sql"
    real.write_bytes(b"old")
    link.symlink_to(real)
    write_whole(link, b"new")
    assert (real.read_bytes(), link.is_symlink()) == (b"new", True)
    with pytest.raises(UnusableFile, match="cannot be written"):
        write_whole(tmp_path / "none" / "a.sql", b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.sql", "real.sql"]
