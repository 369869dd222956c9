"""Circles in a directed graph: its strongly connected parts, and the shortest way round one of them."""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence

Graph = Mapping[str, Collection[str]]


def circles(graph: Graph) -> list[tuple[str, ...]]:
    """The parts of two nodes or more that can all reach one another, nodes and parts in the order of the graph.

    Tarjan's algorithm without recursion; an edge from a node to itself is no circle here.
    """
    search = _Search(graph)
    for node in graph:
        if node not in search.number:
            search.visit(node)
    position = {node: place for place, node in enumerate(graph)}
    parts = [tuple(sorted(part, key=position.__getitem__)) for part in search.parts if len(part) > 1]
    return sorted(parts, key=lambda part: position[part[0]])


def shortest_way_round(graph: Graph, part: Collection[str]) -> tuple[str, ...]:
    """The nodes of the shortest circle within a strongly connected part, the first one not repeated."""
    ways = (_way_back(graph, node, part) for node in part)
    return min((way for way in ways if way), key=len)


def _way_back(graph: Graph, start: str, part: Collection[str]) -> tuple[str, ...]:
    came_from: dict[str, str] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for near in graph[node]:
            if near == start and node != start:
                return _traced(came_from, start, node)
            if near in part and near != start and near not in came_from:
                came_from[near] = node
                waiting.append(near)
    return ()


def _traced(came_from: Mapping[str, str], start: str, last: str) -> tuple[str, ...]:
    way = [last]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))


class _Search:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.number: dict[str, int] = {}
        self.parts: list[Sequence[str]] = []
        self._lowest: dict[str, int] = {}
        self._open: list[str] = []
        self._is_open: set[str] = set()

    def visit(self, root: str) -> None:
        """Find all parts that can be reached from here."""
        path: list[tuple[str, Iterator[str]]] = [self._enter(root)]
        while path:
            node, rest = path[-1]
            near = next(rest, None)
            if near is None:
                path.pop()
                self._leave(node, path[-1][0] if path else None)
            elif near not in self.number:
                path.append(self._enter(near))
            elif near in self._is_open:
                self._lowest[node] = min(self._lowest[node], self.number[near])

    def _enter(self, node: str) -> tuple[str, Iterator[str]]:
        self.number[node] = self._lowest[node] = len(self.number)
        self._open.append(node)
        self._is_open.add(node)
        return node, iter(self._graph[node])

    def _leave(self, node: str, above: str | None) -> None:
        if above is not None:
            self._lowest[above] = min(self._lowest[above], self._lowest[node])
        if self._lowest[node] == self.number[node]:
            start = self._open.index(node)
            self.parts.append(self._open[start:])
            self._is_open.difference_update(self._open[start:])
            del self._open[start:]
