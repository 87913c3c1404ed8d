#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The machine against the strong loop, as ratios of least times within one run of bench/limit_bench.

    tools/bench_ratio.py [BUILD_FOLDER] [--filter REGEX]     default: build/release

Prints, for each case, the time of the strong loop (bench/strong_loop.hpp) and, for each kind of channel,
its time as a multiple of that: of the least times of the repetitions, then of the medians. With two
workers or more, `best` compares the best number of workers on either side.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", default="build/release")
    parser.add_argument("--filter", default=".")
    arguments = parser.parse_args()
    program = os.path.join(arguments.build, "bench", "limit_bench")
    if not os.access(program, os.X_OK):
        print(f"{program}: not built; ninja -C {arguments.build} limit_bench", file=sys.stderr)
        return 2
    run = subprocess.run(
        [program, f"--benchmark_filter={arguments.filter}", "--benchmark_format=json",
         "--benchmark_enable_random_interleaving=true"],
        check=True, stdout=subprocess.PIPE)
    seconds = collections.defaultdict(dict)
    for row in json.loads(run.stdout)["benchmarks"]:
        if row.get("error_occurred"):
            print(f"{row['name']}: {row['error_message']}", file=sys.stderr)
            return 1
        if row["run_type"] != "iteration":
            continue
        case, kind = row["run_name"].split("/iterations")[0].rsplit("/", 1)
        seconds[case].setdefault(kind, []).append(row["real_time"])
    print(f"{len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}; least times (medians)")
    best = collections.defaultdict(lambda: collections.defaultdict(lambda: float("inf")))
    for case, kinds in seconds.items():
        strong = kinds["strong"]
        print(f"{case} workers: strong loop {min(strong):.1f} ms ({statistics.median(strong):.1f})")
        for kind, times in kinds.items():
            shape = case.rsplit("/", 1)[0]
            best[shape][kind] = min(best[shape][kind], min(times))
            if kind != "strong":
                print(f"    {kind:8} {min(times) / min(strong):5.2f} times as long "
                      f"({statistics.median(times) / statistics.median(strong):.2f})")
    for shape, kinds in best.items():
        ratios = ", ".join(f"{kind} {kinds[kind] / kinds['strong']:.2f}" for kind in kinds if kind != "strong")
        print(f"best of {shape}: {ratios}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
