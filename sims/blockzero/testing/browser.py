# SPDX-License-Identifier: BSD-3-Clause
"""The page of results in a browser: Debian's Chromium without a window, on a desk and on a phone, light and dark.

A program of its own, because Playwright is in the tools' Python alone: `python -m blockzero.testing.browser HOME` prints TAP. HOME gets the
page and a screenshot of each kind.
"""

import json
import os
import sys
from pathlib import Path

from .. import processes
from ..building import tools
from ..paths import ROOT
from ..results import html, report
from ..running.runs import Run
from .tally import Tally

CHROMIUM = "/usr/bin/chromium"
SIZES = {"desk": (1440, 900), "phone": (390, 844)}
SCHEMES = ("light", "dark")
SECONDS = 120  # until all is drawn, beside two simulations

# What is wrong with the page, as {check: [findings]}.
INSPECT = """() => {
	const width = document.documentElement.clientWidth, wrong = {plots: [], overflow: [], tables: [], contrast: []};
	document.querySelectorAll("details").forEach(folded => { folded.open = true; });
	const plots = [...document.querySelectorAll(".plot")];
	if (plots.length === 0 || plots.length !== Object.keys(JSON.parse(document.getElementById("plots").textContent)).length)
		wrong.plots.push(`${plots.length} plots on the page`);
	for (const plot of plots) {
		const svg = plot.querySelector("svg.main-svg"), box = svg && svg.getBoundingClientRect();
		const marks = [...plot.querySelectorAll(".trace path, .trace .point path, .scatterlayer path")].filter(mark => {
			const size = mark.getBoundingClientRect();
			return size.width > 0 || size.height > 0;
		});
		if (!box || box.width < 100 || box.height < 100 || marks.length === 0)
			wrong.plots.push(`${plot.id}: ${box ? `${box.width}x${box.height}` : "nothing"} drawn, ${marks.length} marks`);
		else if (box.left < 0 || box.right > width + 0.5)
			wrong.plots.push(`${plot.id} is ${box.left} to ${box.right} pixels from the left, of ${width}`);
	}
	if (document.documentElement.scrollWidth > width || document.body.scrollWidth > width)
		wrong.overflow.push(`${Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)} pixels in ${width}`);
	for (const table of document.querySelectorAll("table")) {
		const box = table.parentElement, place = box.getBoundingClientRect(), what = table.rows[0].innerText.replace(/\\s+/g, " ");
		if (place.left < 0 || place.right > width + 0.5)
			wrong.tables.push(`'${what}': its box ends at ${place.right} pixels, of ${width}`);
		if (table.scrollWidth > box.clientWidth && !["auto", "scroll"].includes(getComputedStyle(box).overflowX))
			wrong.tables.push(`'${what}': ${table.scrollWidth} pixels wide in a box of ${box.clientWidth} that does not scroll`);
		for (const cell of table.querySelectorAll("th, td"))
			if (cell.scrollWidth > cell.clientWidth + 1)
				wrong.tables.push(`'${what}': '${cell.innerText}' is wider than its cell`);
	}
	const light = text => {
		const [r, g, b] = text.match(/[\\d.]+/g).map(part => { const c = part / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = light(getComputedStyle(document.body).backgroundColor);
	for (const part of document.querySelectorAll("body, .lead, a, .numbers b, figcaption, td, summary, footer, .plot text")) {
		const style = getComputedStyle(part), ink = light(part.tagName === "text" ? style.fill : style.color);
		const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
		if (ratio < 4.5)
			wrong.contrast.push(`${part.tagName} '${part.textContent.slice(0, 20)}': ${ratio.toFixed(1)}`);
	}
	return wrong;
}"""
CHECKS = {"plots": "every plot is drawn", "overflow": "nothing lies beside the page", "tables": "no table is cut", "contrast": "text can be read",
          "hover": "a plot says its values under the pointer", "console": "the console is silent", "requests": "nothing is fetched"}


def sweep(path: Path, to: Path) -> Path:
    """A result file as a sweep's, with made-up numbers: that of `path`, each record slower by some factor for each choice."""
    origin, records = report.load(path)
    over = {"READ_LATENCY": [10, 30, 60], "PORT": ["ordered", "relaxed"]}
    lines = [{"provenance": {**origin, "run": "sweep", "set": "table", "over": over}}]
    for latency in over["READ_LATENCY"]:
        for port in over["PORT"]:
            slower = 1 + latency / (100 if port == "ordered" else 200)
            lines += [{**record, **{key: record[key] * slower for key in ("cycles", "wall_ns", "fault_ns") if key in record},
                       "choices": {"READ_LATENCY": latency, "PORT": port}} for record in records]
    to.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return to


def inspect(browser: object, page: Path, size: tuple, scheme: str, picture: Path) -> dict:
    """{check: [what is wrong]} of a page, as one kind of reader sees it; and a picture of all of it."""
    from playwright.sync_api import Error as PlaywrightError  # pylint: disable=import-outside-toplevel
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    context.set_offline(True)
    view = context.new_page()
    console, requests = [], []
    view.on("console", lambda message: console.append(f"{message.type}: {message.text}"))
    view.on("pageerror", lambda error: console.append(str(error)))
    view.on("request", lambda request: requests.append(request.url))
    view.goto(page.as_uri(), wait_until="domcontentloaded", timeout=SECONDS * 1000)
    try:
        view.wait_for_selector(f"html[data-drawn={scheme}]", state="attached", timeout=SECONDS * 1000)
    except PlaywrightError as error:  # the check of plots says which one is missing
        console.append(str(error).splitlines()[0])
    wrong = view.evaluate(INSPECT)
    view.screenshot(path=picture, full_page=True)
    bar = view.locator(".plot .point path").first
    wrong["hover"] = ["there is no bar"]
    if bar.count():
        bar.hover(force=True)
        view.wait_for_timeout(300)
        wrong["hover"] = [] if view.locator(".hoverlayer .hovertext").count() else ["no label appears"]
    wrong["console"] = console
    wrong["requests"] = [url for url in requests if url != page.as_uri() and not url.startswith(("data:", "blob:"))]
    context.close()
    return wrong


def look(page: Path, home: Path) -> list:
    """[(whether a check passed, what it is)] of a page, for every kind of reader."""
    from playwright.sync_api import sync_playwright  # pylint: disable=import-outside-toplevel
    found = []
    root = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium refuses its sandbox to root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=root)
        for name, size in SIZES.items():
            for scheme in SCHEMES:
                wrong = inspect(browser, page, size, scheme, home / f"report-{name}-{scheme}.png")
                found += [(not wrong[check], f"{name}, {scheme}: {what}" + "".join(f"; {text}" for text in wrong[check][:3])) for check, what in CHECKS.items()]
        browser.close()
    return found


def main(home: Path) -> None:
    """TAP of the page of all published results, with a sweep if none is among them."""
    paths = html.published()
    if not any(html.kind(path) == "curves" for path in paths):
        paths.append(sweep(report.PUBLISHED / "bench.jsonl", home / "sweep.jsonl"))
    page = home / "report.html"
    html.write(paths, page)
    found = look(page, home)
    for n, (good, text) in enumerate(found, 1):
        print(f"{'ok' if good else 'not ok'} {n} - {text}", flush=True)
    print(f"1..{len(found)}")


def check(tally: Tally, run: Run) -> None:
    """The page of results is whole, for every kind of reader; the page and its pictures are in the run's directory."""
    home = run.part("browser").home
    log = home / "browser.txt"
    with open(log, "wb") as out:
        code = processes.run([tools.python_environment() / "bin" / "python", "-m", "blockzero.testing.browser", home], stdout=out, stderr=out,
                             env=processes.environment(PYTHONPATH=str(ROOT / "sims"), PYTHONDONTWRITEBYTECODE="1"))
    tally.tap(log.read_text(errors="replace"), "page of results, in Chromium", code)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
