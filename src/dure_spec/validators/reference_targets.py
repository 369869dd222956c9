"""What a foreign key that leads nowhere may have meant: by name, by type, and by a slip of the keyboard."""

from dure_spec.artifacts.erd import Column, Table
from dure_spec.derive.keys import ForeignKey, unique_keys
from dure_spec.derive.types import family_of
from dure_spec.derive.words import singular, snake
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.name_choice import NameChoice
from dure_spec.validators.near_names import only_near
from dure_spec.validators.patches import Patch, in_order, replaced
from dure_spec.validators.policy import nearest
from dure_spec.validators.widths import same_values

SUFFIXES = ("_id", "_no", "_code")


class TargetChoice:
    """The keys of a schema as places that a reference can go to instead."""

    def __init__(self, index: Index, names: NameChoice) -> None:
        self._index = index
        self._names = names

    def instead_of_table(self, place: TablePlace, key: ForeignKey) -> tuple[str, ...]:
        """Keys of the tables that the column's name or the wrong table name may mean, fitting types first."""
        renamed = self._renamed(key.target)
        if renamed is not None:  # the table is there under a wrong name, which a finding of its own says
            return tuple(f"{key.target}.{name}" for name in single_keys(renamed.table)[:1])
        base = snake(key.columns[0])
        for suffix in SUFFIXES:
            base = base.removesuffix(suffix)
        tables = [each.table for each in self._index.tables.values() if singular(snake(each.table.name)) == base]
        near = nearest(key.target, (each.table.name for each in self._index.tables.values()))
        tables += [self._index.tables[name.lower()].table for name in near]
        keys = dict.fromkeys(f"{each.name}.{name}" for each in tables for name in single_keys(each)[:1])
        return self._by_type(place, key.columns[0], tuple(keys))

    def instead_of_column(self, place: TablePlace, key: ForeignKey, target: TablePlace) -> tuple[str, ...]:
        """Keys of the target as long as the foreign key, fitting types first."""
        if len(key.columns) == 1:
            single = tuple(f"{target.table.name}.{name}" for name in single_keys(target.table))
            return self._by_type(place, key.columns[0], single)
        fitting = (each for each in unique_keys(target.table) if len(each) == len(key.columns))
        return tuple(f"{target.table.name}({', '.join(each)})" for each in fitting)

    def misnamed(self, table: str) -> str:
        """The topic of the finding on the name, where the table is there under a name so wrong that it is critical."""
        renamed = self._renamed(table)
        illegal = renamed is not None and not self._names.is_legal(renamed.table.name)
        return f"name:{renamed.table.name}" if renamed and illegal else ""

    def to_near_table(self, place: TablePlace, key: ForeignKey) -> Patch:
        """The reference at the only table whose name is a slip away and whose key it then meets."""
        near = only_near(key.target, (each.table.name for each in self._index.tables.values()))
        target = self._index.tables.get(near.lower()) if near else None
        return self._moved(place, key, target, key.target_columns) if target else ()

    def to_near_column(self, place: TablePlace, key: ForeignKey, target: TablePlace) -> Patch:
        """The reference at the only columns of the target whose names are a slip away and that are a key."""
        names = [column.name for column in target.table.columns]
        near = tuple(name if name.lower() in target.columns else only_near(name, names) for name in key.target_columns)
        return self._moved(place, key, target, near) if all(near) else ()

    def _moved(self, place: TablePlace, key: ForeignKey, target: TablePlace, columns: tuple[str, ...]) -> Patch:
        if len(columns) != len(key.columns) or not self._meets(place, key, target, columns):
            return ()
        if key.path.startswith("/columns/"):
            steps: list[Patch] = []
            for own, name in zip(key.columns, columns, strict=True):
                column = place.columns[own.lower()]
                new = f"{target.table.name}.{target.columns[name.lower()].name}"
                if column.fk != new:
                    steps.append(replaced("dba", f"{place.column_path(column.name)}/fk", column.fk, new))
            return in_order(*steps)
        reference = place.table.refs[int(key.path.rpartition("/")[2])]
        path = f"{place.path}{key.path}"
        steps = []
        if reference.table.lower() != target.table.name.lower():
            steps.append(replaced("dba", f"{path}/table", reference.table, target.table.name))
        for number, (old, new) in enumerate(zip(reference.targets, columns, strict=True)):
            if old.lower() != new.lower():
                steps.append(replaced("dba", f"{path}/targets/{number}", old, target.columns[new.lower()].name))
        return in_order(*steps)

    def _meets(self, place: TablePlace, key: ForeignKey, target: TablePlace, columns: tuple[str, ...]) -> bool:
        """Whether the columns are a key of the target and hold exactly the values of the foreign key."""
        lower = {name.lower() for name in columns}
        if not any({name.lower() for name in each} == lower for each in unique_keys(target.table)):
            return False
        pairs = zip(key.columns, columns, strict=True)
        return all(
            own.lower() in place.columns
            and name.lower() in target.columns
            and same_values(place.columns[own.lower()].type, target.columns[name.lower()].type, self._names.dialect)
            for own, name in pairs
        )

    def _renamed(self, table: str) -> TablePlace | None:
        """The table that should have this name and has another."""
        for place in self._index.tables.values():
            if self._names.glossary_name(place) == table.lower():
                return place
        return None

    def _by_type(self, place: TablePlace, column: str, references: tuple[str, ...]) -> tuple[str, ...]:
        source = place.columns.get(column.lower())
        family = family_of(source.type) if source else None
        named_id = column.lower().endswith("_id")

        def rank(reference: str) -> tuple[bool, bool]:
            found: Column | None = self._index.column(reference)
            other_key = named_id and not (found is not None and found.pk)
            return other_key, found is None or family_of(found.type) != family

        return tuple(sorted(references, key=rank))


def single_keys(table: Table) -> tuple[str, ...]:
    """Columns that identify a row alone, the primary key first."""
    return tuple(key[0] for key in unique_keys(table) if len(key) == 1)
