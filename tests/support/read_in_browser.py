# SPDX-License-Identifier: Apache-2.0
"""Opens reports in headless Chromium, 1,280 and 400 pixels wide: for tests.

    python3 read_in_browser.py FOLDER     # a line per report; exit code 1: a report is not as it
                                          # should be; 77: there is no Chromium

Every plot is drawn; no text of it is cut or covers another; no page scrolls sideways; arrow keys,
scale buttons and headings of tables work; nothing is written to the console, and nothing is
fetched, as the browser's own log of its network says.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAMS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
WIDTHS = [1280, 400]
OWN = "not an origin"  # the browser asks for itself

PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>reports</title>
%s
<pre id="result"></pre>
<script>
"use strict";
const box = (element) => element.getBoundingClientRect();
const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
function checkPlot(plot, say) {
  const frame = box(plot);
  if (!(frame.width > 100 && frame.height > 50)) return say("has no size");
  const marks = [...plot.querySelectorAll(".mark, .bar, .cell, .hit, .line")];
  const drawn = marks.filter((mark) => mark.getBBox().width + mark.getBBox().height > 0);
  if (!drawn.length) say("draws nothing");
  const texts = [...plot.querySelectorAll("text")].filter((text) => text.textContent.trim());
  if (texts.length < 3) say("has no axes");
  const boxes = texts.map(box);
  texts.forEach((text, i) => {
    const b = boxes[i];
    if (b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 ||
        b.bottom > frame.bottom + 1) say(`cuts '${text.textContent}'`);
    if (text.hasAttribute("transform")) return;
    for (let j = 0; j < i; ++j)
      if (!texts[j].hasAttribute("transform") && overlap(b, boxes[j]))
        say(`'${text.textContent}' covers '${texts[j].textContent}'`);
  });
}
function checkReport(page, say) {
  const root = page.documentElement;
  if (root.scrollWidth > root.clientWidth) say(`scrolls sideways: ${root.scrollWidth}`);
  const figures = [...page.querySelectorAll("figure")];
  for (const figure of figures) {
    const name = figure.querySelector("figcaption").firstChild.textContent;
    const sayPlot = (text) => say(`plot '${name}' ${text}`);
    const plots = [...figure.querySelectorAll("svg.plot")];
    checkPlot(plots[0], sayPlot);
    const button = figure.querySelector("button.scale");
    if (plots.length > 1) {
      button.click();
      checkPlot(plots[1], (text) => sayPlot(`on other axes ${text}`));
      if (box(plots[0]).width) sayPlot("is still there on its first axes");
      button.click();
    }
    if (!figure.querySelector("details tbody tr")) sayPlot("has no data");
  }
  if (figures.length) {
    const plot = figures[0].querySelector("svg.plot");
    plot.dispatchEvent(new page.defaultView.KeyboardEvent("keydown", { key: "ArrowRight" }));
    const tip = page.getElementById("tip");
    if (tip.hidden || !tip.textContent) say("arrow keys show nothing");
    plot.dispatchEvent(new page.defaultView.FocusEvent("blur"));
  }
  const heading = page.querySelector("main th button");
  if (heading) heading.click();
  if (heading && heading.parentElement.getAttribute("aria-sort") !== "ascending")
    say("tables are not sorted");
  return figures.length;
}
addEventListener("load", () => {
  const all = [...document.querySelectorAll("iframe")].map((frame) => {
    const wrong = [];
    let plots = 0;
    try {
      plots = checkReport(frame.contentDocument, (text) => wrong.push(text));
    } catch (problem) { wrong.push(String(problem)); }
    return { file: frame.dataset.file, width: frame.width, plots, wrong };
  });
  document.getElementById("result").textContent = JSON.stringify(all);
});
</script>
"""


def browse(browser, folder, scratch):
    reports = sorted(folder.glob("*.html"))
    frames = "\n".join(
        f'<iframe width="{width}" height="800" data-file="{html.escape(report.name)}" '
        f'src="{report.resolve().as_uri()}"></iframe>'
        for report in reports for width in WIDTHS)
    page = scratch / "reports.html"
    page.write_text(PAGE % frames, encoding="utf-8")
    log = scratch / "network.json"
    run = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
         "--disable-background-networking", "--disable-component-update", "--no-first-run",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
         f"--user-data-dir={scratch / 'profile'}", f"--log-net-log={log}", "--dump-dom",
         page.as_uri()],
        capture_output=True, text=True, timeout=300, check=True)
    result = re.search(r'<pre id="result">(.*?)</pre>', run.stdout, re.DOTALL)
    console = [line for line in run.stderr.splitlines() if ":CONSOLE" in line]
    return json.loads(html.unescape(result.group(1))), console, fetched(log)


def fetched(log):
    """The addresses that pages asked for, but those of files."""
    events = json.loads(log.read_text(encoding="utf-8"))["events"]
    urls = {event["params"]["url"] for event in events
            if event.get("params", {}).get("initiator", OWN) != OWN and "url" in event["params"]}
    return sorted(url for url in urls if not url.startswith(("file:", "data:", "about:")))


def main():
    browser = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if browser is None:
        print("no Chromium: none of " + ", ".join(PROGRAMS))
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        results, console, urls = browse(browser, pathlib.Path(sys.argv[1]), pathlib.Path(scratch))
    for one in results:
        print(f"{one['file']} at {one['width']}: {one['plots']} plots")
        for wrong in one["wrong"]:
            print(f"  WRONG: {wrong}")
    for line in console:
        print(f"WRONG: console: {line}")
    for url in urls:
        print(f"WRONG: fetched {url}")
    bad = console or urls or any(one["wrong"] for one in results)
    return 1 if bad or not results else 0


sys.exit(main())
