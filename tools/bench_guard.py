#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a run of bench/collective_bench with a baseline.

    tools/bench_guard.py RUN.json bench/baselines/NAME.json [--times]

Both are outputs of --benchmark_format=json. Hard guard, on any machine: the exact counters (steps,
sends, bytes, nodes, workers) of every benchmark of the baseline are equal; a benchmark that is gone
is a failure too. With --times, on the machine the baseline was made on: a median slower by more than
10 % that a rank test (Mann-Whitney, normal approximation) calls unlikely at p < 0.01 is reported, and
fails; do that on two separate runs before believing it.
Exit code: 0 equal, 1 something differs, 2 bad request.
"""
import argparse
import json
import math
import statistics
import sys

EXACT = ("steps", "sends", "bytes", "nodes", "workers")


def load(path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]
    cases = {}
    for row in rows:
        if row.get("run_type") != "iteration":
            continue
        case = cases.setdefault(row["run_name"], {"counters": {}, "times": []})
        case["counters"] = {name: row[name] for name in EXACT if name in row}
        case["times"].append(row["real_time"])
        if row.get("error_occurred"):
            case["error"] = row["error_message"]
    return cases


def slower_by_chance(new, old):
    """One-sided p of the rank sum of `new` under the hypothesis that both are alike."""
    ranked = sorted([(t, 0) for t in new] + [(t, 1) for t in old])
    ranks = sum(i + 1 for i, (_, group) in enumerate(ranked) if group == 0)
    n, m = len(new), len(old)
    mean = n * (n + m + 1) / 2
    deviation = math.sqrt(n * m * (n + m + 1) / 12)
    return 0.5 * math.erfc((ranks - mean) / (deviation * math.sqrt(2)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run")
    parser.add_argument("baseline")
    parser.add_argument("--times", action="store_true")
    arguments = parser.parse_args()
    try:
        run, baseline = load(arguments.run), load(arguments.baseline)
    except (OSError, ValueError, KeyError) as trouble:
        print(f"bench_guard: {trouble}", file=sys.stderr)
        return 2
    if not baseline:
        print("bench_guard: the baseline holds no benchmark", file=sys.stderr)
        return 2
    failures = 0
    for name, expected in baseline.items():
        found = run.get(name)
        if found is None or "error" in (found or {}):
            print(f"{name}: {'missing' if found is None else found['error']}")
            failures += 1
            continue
        if found["counters"] != expected["counters"]:
            print(f"{name}: counted {found['counters']}, baseline {expected['counters']}")
            failures += 1
        ratio = statistics.median(found["times"]) / statistics.median(expected["times"])
        if arguments.times and ratio > 1.1:
            p = slower_by_chance(found["times"], expected["times"])
            print(f"{name}: {ratio:.2f} times the baseline's median, p = {p:.4f}")
            failures += p < 0.01
    print(f"{len(baseline)} benchmarks compared, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
