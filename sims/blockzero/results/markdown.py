# SPDX-License-Identifier: BSD-3-Clause
"""The Markdown that our pages of results are written in, as HTML: headings, paragraphs, lists, tables, *emphasis* and `code`. Pictures are left out."""

import html
import re

LONG = 12  # rows; longer tables are folded


def inline(text: str) -> str:
    text = html.escape(text, quote=False).replace("  ", "&ensp;")
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(f"<code>{part[1:-1]}</code>" if part.startswith("`") else re.sub(r"\*([^*]+)\*", r"<em>\1</em>", part) for part in parts)


def _cells(line: str) -> list:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table(lines: list) -> str:
    """In a box of its own, in which a wide table scrolls."""
    head, rule, *rows = map(_cells, lines)
    right = [' class="number"' if cell.endswith(":") else "" for cell in rule]
    right += [""] * (len(head) - len(right))

    def row(tag: str, cells: list) -> str:
        return "<tr>" + "".join(f"<{tag}{align}>{inline(cell)}</{tag}>" for align, cell in zip(right, cells)) + "</tr>"
    text = "\n".join(['<div class="box" tabindex="0"><table>', f"<thead>{row('th', head)}</thead>", "<tbody>", *(row("td", cells) for cells in rows),
                      "</tbody></table></div>"])
    return text if len(rows) <= LONG else f"<details><summary>Table, {len(rows)} rows</summary>\n{text}\n</details>"


def _items(lines: list) -> str:
    items = re.split(r"(?m)^- ", "\n".join(lines))[1:]
    return "<ul>" + "".join(f"<li>{inline(' '.join(item.split()))}</li>" for item in items) + "</ul>"


def to_html(text: str) -> str:
    """Headings begin at <h3>: the page around it has those above."""
    found = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.splitlines()
        if lines[0].startswith("!["):
            continue
        if lines[0].startswith("#"):
            found.append(f"<h3>{inline(lines[0].lstrip('# '))}</h3>")
        elif lines[0].startswith("|"):
            found.append(table(lines))
        elif lines[0].startswith("- "):
            found.append(_items(lines))
        else:
            found.append(f"<p>{inline(' '.join(block.split(chr(10))))}</p>")
    return "\n".join(found)
