"""What is laid out: boxes in columns, and lines that run from the right of one to the left of another."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle of known size."""

    id: str
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A line between two boxes; ports are heights below the top edges where it touches them."""

    start: str
    end: str
    start_port: float
    end_port: float
    label_width: float = 0.0

    def reversed(self) -> "Link":
        """The same line from the other end."""
        return Link(
            start=self.end,
            end=self.start,
            start_port=self.end_port,
            end_port=self.start_port,
            label_width=self.label_width,
        )


Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Where everything is; `paths` go from start to end and are in the order of the links."""

    corners: dict[str, Point]
    paths: tuple[tuple[Point, ...], ...]
    width: float
    height: float


@dataclass(slots=True, kw_only=True)
class Spot:
    """A box, or the place where a long line passes a column, while the layout is being worked out."""

    key: str
    height: float
    passing: bool = False
    y: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A piece of a line between two neighbouring columns, `left` in column `column`."""

    column: int
    left: str
    left_port: float
    right: str
    right_port: float


@dataclass(slots=True, kw_only=True)
class Columns:
    """The layout in the making."""

    columns: list[list[Spot]]
    segments: list[Segment] = field(default_factory=list[Segment])
    routes: list[list[Segment]] = field(default_factory=list[list[Segment]])
    """For each link its segments, left to right."""
