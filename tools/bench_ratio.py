#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The machine against the bare loop, as ratios of medians within one run of bench/limit_bench.

    tools/bench_ratio.py [BUILD_FOLDER] [--filter REGEX]     default: build/release

Prints, for each case, the median wall time of the bare loop and, for each kind of channel, the rate
relative to it (1 = as fast as the bare loop) with the smallest and largest of the repetitions.
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
    load = os.getloadavg()[0]
    print(f"{len(os.sched_getaffinity(0))} cores, load {load:.1f}; medians of the repetitions")
    for case, kinds in seconds.items():
        bare = statistics.median(kinds["bare"])
        print(f"{case}: bare loop {bare:.1f} ms")
        for kind, times in kinds.items():
            if kind != "bare":
                print(f"    {kind:8} {bare / statistics.median(times):5.2f} of its rate "
                      f"({bare / max(times):.2f}..{bare / min(times):.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
