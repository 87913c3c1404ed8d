# SPDX-License-Identifier: Apache-2.0
"""Reads every format that the program writes with a standard reader: for tests.

    python3 read_formats.py FOLDER        # exit code 1, and why, where a file is not what it should be
"""
import csv
import html.parser
import json
import pathlib
import sys
import xml.etree.ElementTree

VOID = {"meta", "br", "link", "img", "hr", "input"}


class Page(html.parser.HTMLParser):
    """Checks that elements nest, counts them, and that nothing is loaded."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.count, self.ids = [], {}, set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.count[tag] = self.count.get(tag, 0) + 1
        assert "src" not in attributes, f"<{tag}> loads {attributes['src']}"
        target = attributes.get("href", "#")
        assert target.startswith("#"), f"<{tag}> refers to {target}"
        if "id" in attributes:
            assert attributes["id"] not in self.ids, attributes["id"]
            self.ids.add(attributes["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()


def read_html(text):
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert page.count.get("h1") == 1 and page.count.get("table", 0) > 0, page.count
    figures = page.count.get("figure", 0)
    assert figures > 0 and page.count["svg"] >= figures
    assert page.count["figcaption"] == figures and page.count["details"] == figures
    return f"{figures} plots"


def read_csv(text):
    rows = list(csv.DictReader(text.splitlines(), strict=True))
    assert rows and None not in rows[0], "cells without a heading"
    assert all(None not in row.values() for row in rows), "rows of different lengths"
    return f"{len(rows)} rows"


def read_trace(trace):
    """The trace event format, JSON object form: phases X, C and M."""
    names = set()
    for event in trace["traceEvents"]:
        assert event["ph"] in "XCM" and isinstance(event["pid"], int) and event["name"]
        if event["ph"] == "M":
            names.add(event["args"]["name"])
            continue
        assert event["ts"] >= 0
        if event["ph"] == "X":
            assert event["dur"] >= 0 and isinstance(event["tid"], int)
        else:
            assert all(isinstance(v, (int, float)) for v in event["args"].values())
    assert "lockstep" in names and "worker 0" in names, names
    assert trace["otherData"]["sampling"]
    return f"{len(trace['traceEvents'])} events"


def read(path):
    data = path.read_bytes()
    if path.suffix == ".pdf":
        assert data.startswith(b"%PDF") and b"%%EOF" in data[-1024:]
        return f"{len(data)} bytes"
    if path.suffix == ".png":
        assert data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB`\x82")
        return f"{len(data)} bytes"
    text = data.decode("utf-8")
    if path.suffix == ".html":
        return read_html(text)
    if path.suffix == ".csv":
        return read_csv(text)
    if path.suffix == ".svg":
        root = xml.etree.ElementTree.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg" and len(root) > 10
        return f"{len(root)} elements"
    if path.suffix == ".ndjson":
        rows = [json.loads(line) for line in text.splitlines()]
        assert rows and all(row.keys() == rows[0].keys() for row in rows)
        return f"{len(rows)} rows"
    value = json.loads(text)
    return read_trace(value) if "traceEvents" in value else value["schema"]


failed = False
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    try:
        print(f"{path.name}: {read(path)}")
    except Exception as problem:  # whatever a reader objects to
        failed = True
        print(f"{path.name}: {type(problem).__name__}: {problem}")
sys.exit(failed)
