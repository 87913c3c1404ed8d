#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a run of bench/collective_bench with a baseline.

    tools/bench_guard.py RUN.json bench/baselines/NAME.json [--times]
    tools/bench_guard.py RUN.json bench/baselines/NAME.json --accept [--times]
    tools/bench_guard.py --self-test

RUN is an output of --benchmark_format=json. Hard guard, on any machine: the exact counters (steps,
sends, bytes, nodes, workers) of every benchmark of the baseline are equal; a benchmark that is gone is
a failure too, one that is new is reported. With --times, on the machine the baseline was made on and
with nothing beside it: a median slower by more than 10 % that a rank test (Mann-Whitney, normal
approximation) calls unlikely at p < 0.01 is reported, and fails; do that on two separate runs before
believing it. --accept makes RUN the baseline, its times only with --times.
Exit code: 0 equal, 1 something differs, 2 bad request.
"""
import argparse
import contextlib
import io
import json
import math
import pathlib
import statistics
import sys

EXACT = ("steps", "sends", "bytes", "nodes", "workers")


def cases_of(rows):
    cases = {}
    for row in rows:
        if row.get("run_type") != "iteration":
            continue
        case = cases.setdefault(row["run_name"], {"counters": {}, "times": []})
        case["counters"] = {name: row[name] for name in EXACT if name in row}
        if "real_time" in row:
            case["times"].append(row["real_time"])
        if row.get("error_occurred"):
            case["error"] = row["error_message"]
    return cases


def load(path):
    cases = cases_of(json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["benchmarks"])
    if not cases:
        raise ValueError(f"{path} holds no benchmark")
    return cases


def rows_of(cases, times):
    """The least that cases_of() makes the same of; nothing of host, date or load."""
    rows = []
    for name, case in cases.items():
        row = {"run_name": name, "run_type": "iteration", **case["counters"]}
        rows += [row | {"real_time": time} for time in case["times"]] if times else [row]
    return rows


def slower_by_chance(new, old):
    """One-sided p of the rank sum of `new` under the hypothesis that both are alike."""
    ranked = sorted([(t, 0) for t in new] + [(t, 1) for t in old])
    ranks = sum(i + 1 for i, (_, group) in enumerate(ranked) if group == 0)
    n, m = len(new), len(old)
    mean = n * (n + m + 1) / 2
    deviation = math.sqrt(n * m * (n + m + 1) / 12)
    return 0.5 * math.erfc((ranks - mean) / (deviation * math.sqrt(2)))


def judged(found, expected, times):
    """What there is to say of one benchmark, and whether it fails."""
    if expected is None:
        return "not in the baseline yet", False
    if found is None:
        return "missing", True
    if "error" in found:
        return found["error"], True
    if found["counters"] != expected["counters"]:
        return f"counted {found['counters']}, baseline {expected['counters']}", True
    if not times:
        return None, False
    ratio = statistics.median(found["times"]) / statistics.median(expected["times"])
    if ratio <= 1.1:
        return None, False
    p = slower_by_chance(found["times"], expected["times"])
    return f"{ratio:.2f} times the baseline's median, p = {p:.4f}", p < 0.01


def compare(run, baseline, times):
    failures = 0
    for name in list(baseline) + [name for name in run if name not in baseline]:
        text, fails = judged(run.get(name), baseline.get(name), times)
        failures += fails
        if text:
            print(f"{name}: {text}")
    return failures


def self_test():
    """A run equals itself; each change alone is found."""
    def run(change=None, **values):
        row = {"run_name": "mesh", "run_type": "iteration", "steps": 149.0, "sends": 107280.0}
        rows = [row | {"real_time": 10.0 + i / 10} | values for i in range(10)]
        return cases_of(change(rows) if change else rows)

    def failures(new, old, times=False):
        with contextlib.redirect_stdout(io.StringIO()):
            return compare(new, old, times)

    slow = run(lambda rows: [row | {"real_time": 1.5 * row["real_time"]} for row in rows])
    bare = cases_of([{"run_name": "mesh", "run_type": "iteration"}])
    checks = [
        ("equal", failures(run(), run(), times=True) == 0),
        ("accepted", cases_of(rows_of(run(), True)) == run()),
        ("accepted without times", failures(run(), cases_of(rows_of(run(), False))) == 0),
        ("another count", failures(run(sends=107279.0), run()) == 1),
        ("no count", failures(bare, run()) == 1),
        ("gone", failures({}, run()) == 1),
        ("new", failures(run(run_name="ring") | run(), run()) == 0),
        ("an error", failures(run(error_occurred=True, error_message="illegal"), run()) == 1),
        ("slower", failures(slow, run(), times=True) == 1),
        ("slower, not asked", failures(slow, run()) == 0),
        ("faster", failures(run(), slow, times=True) == 0),
    ]
    wrong = [name for name, right in checks if not right]
    print(f"bench_guard: {len(checks)} cases, wrong: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run")
    parser.add_argument("baseline")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--accept", action="store_true")
    arguments = parser.parse_args()
    try:
        run = load(arguments.run)
        if arguments.accept:
            lines = ",\n".join(json.dumps(row) for row in rows_of(run, arguments.times))
            pathlib.Path(arguments.baseline).write_text(f'{{"benchmarks": [\n{lines}\n]}}\n')
            return 0
        baseline = load(arguments.baseline)
    except (OSError, ValueError, KeyError) as trouble:
        print(f"bench_guard: {trouble}", file=sys.stderr)
        return 2
    if arguments.times and not all(case["times"] for case in baseline.values()):
        print("bench_guard: the baseline holds counters only, no times", file=sys.stderr)
        return 2
    failures = compare(run, baseline, arguments.times)
    print(f"{len(baseline)} benchmarks compared, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main())
