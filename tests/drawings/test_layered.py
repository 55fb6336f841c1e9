"""The layout of layers: no node over another, edges lead forward, and trees have no crossings."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.plans.drawings.layered_layout import layered


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[tuple[float, float]], list[tuple[int, int]]]:
    """Sizes and edges of a graph, cycles and loops included, whose nodes can all be reached from node 0."""
    count = draw(st.integers(1, 12))
    sizes = [(float(draw(st.integers(5, 60))), float(draw(st.integers(5, 60)))) for _ in range(count)]
    edges = [(draw(st.integers(0, node - 1)), node) for node in range(1, count)]
    ends = st.integers(0, count - 1)
    return sizes, edges + draw(st.lists(st.tuples(ends, ends), max_size=12))


@given(graphs())
def test_no_node_lies_over_another_and_all_lie_on_the_sheet(
    graph: tuple[list[tuple[float, float]], list[tuple[int, int]]],
) -> None:
    sizes, edges = graph
    layout = layered(sizes, edges, across=20, apart=4)
    boxes = [(x, y, x + wide, y + high) for (x, y), (wide, high) in zip(layout.corners, sizes, strict=True)]
    for left, top, right, bottom in boxes:
        assert -1e-6 <= left <= right <= layout.width + 1e-6
        assert -1e-6 <= top <= bottom <= layout.height + 1e-6
    for (a, b, c, d), (e, f, g, h) in combinations(boxes, 2):
        assert c <= e + 1e-6 or g <= a + 1e-6 or d <= f + 1e-6 or h <= b + 1e-6
    for tail, head in edges:
        if (tail, head) in layout.ways:
            assert layout.layer_of[tail] < layout.layer_of[head]
            points = layout.ways[tail, head]
            assert len(points) == 2 * (layout.layer_of[head] - layout.layer_of[tail] - 1)
            assert all(x1 <= x2 for (x1, _), (x2, _) in pairwise(points))
    # What is not laid out leads back: without it there is no cycle, and a tree loses nothing.
    if len(set(edges)) == len(sizes) - 1:
        assert set(layout.ways) == set(edges)


def test_a_parent_stands_in_the_middle_of_its_children() -> None:
    layout = layered([(10, 10)] * 4, [(0, 1), (0, 2), (0, 3)], across=20, apart=5)
    ys = [y for _, y in layout.corners]
    assert sorted(ys[1:]) == [0, 15, 30]
    assert ys[0] == 15


def test_children_are_ordered_so_that_a_tree_has_no_crossing() -> None:
    # Breadth-first by number the grandchildren stand crosswise.
    layout = layered([(10, 10)] * 5, [(0, 1), (0, 2), (1, 4), (2, 3)], across=20, apart=5)
    (_, y1), (_, y2), (_, y3), (_, y4) = layout.corners[1:]
    assert (y1 < y2) == (y4 < y3)
