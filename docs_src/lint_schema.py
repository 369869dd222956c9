"""What `dure lint schema.sql` prints, and what `--fix` makes of the file, from Python."""

from pathlib import Path

from dure_spec.lint.config import LintOptions
from dure_spec.lint.linting import lint_files
from dure_spec.lint.text_form import text_lines

Path("schema.sql").write_text("""\
CREATE TABLE members (id bigint PRIMARY KEY, phone1 varchar(20), phone2 varchar(20));
CREATE TABLE `order` (
  id bigint PRIMARY KEY,
  member_id int NOT NULL REFERENCES members (id),
  total_amount double NOT NULL
);
""")
report = lint_files(["schema.sql"], LintOptions(lang="en")).report
for line in text_lines(report, lang="en", colours=False):
    print(line)
print("exit code", report.exit_code("major"))

fixed = lint_files(["schema.sql"], LintOptions(lang="en"), fix=True)
for file, text in fixed.texts:
    print(f"\n{file.name}, repaired:\n{text}", end="")
