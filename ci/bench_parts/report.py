"""Statistics over the examples and the tables that a person reads."""

import math


def geometric_mean(values):
    """The geometric mean, or None of nothing."""
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def table(heads, rows, footer=None):
    """Columns as wide as they need, the first to the left and the others to the right."""
    cells = [[str(cell) for cell in row] for row in [heads, *rows, *([footer] if footer else [])]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(heads))]

    def line(row):
        rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        return "  ".join([row[0].ljust(widths[0]), *rest]).rstrip()

    rule = "  ".join("-" * width for width in widths)
    body = [line(row) for row in cells[1 : 1 + len(rows)]]
    tail = [rule, line(cells[-1])] if footer else []
    return "\n".join([line(cells[0]), rule, *body, *tail])


def ratio(value, digits=2):
    """A ratio as text; a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}x"


def times(value):
    """A speed-up as text; a dash where there is none."""
    return "-" if value is None else f"{value:.1f}x"


def percent(value):
    return "-" if value is None else f"{value * 100:.1f}%"


def number(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"
