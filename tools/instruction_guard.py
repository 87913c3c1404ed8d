#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the instructions of runs against those of the strong loop.

    tools/instruction_guard.py BUILD_FOLDER bench/baselines/instructions.json
    tools/instruction_guard.py BUILD_FOLDER bench/baselines/instructions.json --accept
    tools/instruction_guard.py --self-test

Counts the instructions of the steps of small runs with one worker, and those of a strong loop
(bench/strong_loop.hpp), both in the build folder (lockstep_cli, limit_bench), with valgrind's callgrind.
The ratio of both depends little on the compiler and the processor, and not at all on the load of the
machine. A ratio that is more than a tenth above the accepted one fails. A ratio that is more than a tenth
below it is reported: --accept then keeps the lower one. Callgrind does not know the instructions of
AVX-512: there, the folder is one of the preset `counted`.
Exit code: 0 no ratio is above the accepted one, 1 one is, 2 bad request.
"""
import argparse
import concurrent.futures
import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_ABOVE = 1.1
STAR, CUBE, RING, DOUBLING = "star:6,k=3", "hypercube:8", "ring:512", "hypercube:9"
# The words of `lockstep run`, and the strong loop that makes the same hops. Where none does, the loop
# of the star graph is the unit.
RUNS = {
    "star:6 total-exchange --algorithm packing --k 3 --bytes 8": f"{STAR}/8B",
    "star:6 total-exchange --algorithm packing --k 3 --bytes 64": f"{STAR}/64B",
    "hypercube:8 total-exchange --algorithm node-invariant --bytes 8": f"{CUBE}/8B",
    "hypercube:8 total-exchange --algorithm node-invariant --bytes 64": f"{CUBE}/64B",
    "ring:512 all-gather --algorithm ring-by-ring --bytes 8": f"{RING}/8B",
    "hypercube:9 all-gather --algorithm recursive-doubling --bytes 8": f"{DOUBLING}/8B",
    "star:6 total-exchange --algorithm packing --k 3 --bytes 8 --channel slot": f"{STAR}/8B",
    "star:6 total-exchange --algorithm packing --k 3 --bytes 8 --channel spsc": f"{STAR}/8B",
    "star:6 total-exchange --algorithm packing --k 3 --bytes 4": f"{STAR}/8B",
    "star:6 total-exchange --algorithm packing --k 4,3,2 --bytes 8": f"{STAR}/8B",
    "star:6 total-exchange --algorithm table --bytes 8": f"{STAR}/8B",
    "star:6 total-exchange --algorithm levelwise --bytes 8": f"{STAR}/8B",
    "star:6 all-gather --algorithm levelwise --bytes 8": f"{STAR}/8B",
    "star:6 all-gather --algorithm mesh --bytes 8": f"{STAR}/8B",
    "torus:20x20 many-to-all --bytes 8": f"{STAR}/8B",
    "torus:20x20 all-gather --bytes 8": f"{STAR}/8B",
    "torus:4x4x4 total-exchange --bytes 8": f"{STAR}/8B",
    "ej:3+4^3 broadcast --bytes 8": f"{STAR}/8B",
    "ej:3+4^2 all-gather --bytes 8": f"{STAR}/8B",
    "ej:2+3^2 total-exchange --bytes 8": f"{STAR}/8B",
    "fat-tree:2^8 all-gather --bytes 8": f"{STAR}/8B",
    "kary-tree:3^4 total-exchange --bytes 8": f"{STAR}/8B",
    "hypercube:10 all-reduce --bytes 8": f"{STAR}/8B",
    "mesh:4x4x4 total-exchange --bytes 8": f"{STAR}/8B",
    "mesh:3x6x8 total-exchange --algorithm shortest-paths --bytes 8": f"{STAR}/8B",
    "star:5 scan --algorithm exchanged-sequence --bytes 8": f"{STAR}/8B",
}


def counted(command, function):
    """Instructions from the beginning to the end of a function, and of all that it calls."""
    with tempfile.NamedTemporaryFile(suffix=".callgrind") as out:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--toggle-collect={function}",
             f"--callgrind-out-file={out.name}", *command],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
            env=os.environ | {"XDG_CONFIG_HOME": "/nonexistent"})
        total = re.search(r"^(?:totals|summary): (\d+)", pathlib.Path(out.name).read_text(), re.M)
        if run.returncode != 0 or not total or int(total[1]) == 0:
            raise ValueError(f"{' '.join(map(str, command))}: exit code {run.returncode}, nothing counted\n"
                             + run.stderr[-2000:])
        return int(total[1])


def ratios_in(build):
    lockstep = build / "src" / "lockstep"
    limit_bench = build / "bench" / "limit_bench"
    for program in (lockstep, limit_bench):
        if not os.access(program, os.X_OK):
            raise ValueError(f"{program}: not built")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        strong = {
            case: pool.submit(
                counted, [limit_bench, "--small", f"--benchmark_filter=^{case}/1/strong/"],
                "*run_strong_loop*")
            for case in sorted(set(RUNS.values()))}
        runs = {
            words: pool.submit(
                counted, [lockstep, "run", *words.split(), "--threads", "1", "--quiet"],
                "lockstep::run_steps(*")
            for words in RUNS}
        return {words: run.result() / strong[RUNS[words]].result() for words, run in runs.items()}


def compare(ratios, accepted):
    failures = 0
    for words, ratio in ratios.items():
        was = accepted.get(words)
        fails = was is None or ratio > MOST_ABOVE * was
        note = ("not accepted yet" if was is None else "ABOVE" if fails else
                "below: accept it" if ratio < was / MOST_ABOVE else "")
        print(f"{ratio:7.2f} {was or 0:7.2f}  {words} {note}".rstrip())
        failures += fails
    for words in accepted.keys() - ratios.keys():
        print(f"{words}: accepted, and no longer run")
        failures += 1
    return failures


def self_test():
    def failures(ratios, accepted):
        with contextlib.redirect_stdout(io.StringIO()):
            return compare(ratios, accepted)

    checks = [
        ("equal", failures({"a": 1.5}, {"a": 1.5}) == 0),
        ("a little above", failures({"a": 1.6}, {"a": 1.5}) == 0),
        ("above", failures({"a": 1.7}, {"a": 1.5}) == 1),
        ("below", failures({"a": 1.0}, {"a": 1.5}) == 0),
        ("new", failures({"a": 1.5, "b": 1}, {"a": 1.5}) == 1),
        ("gone", failures({}, {"a": 1.5}) == 1),
    ]
    wrong = [name for name, right in checks if not right]
    print(f"instruction_guard: {len(checks)} cases, wrong: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("baseline", type=pathlib.Path)
    parser.add_argument("--accept", action="store_true")
    arguments = parser.parse_args()
    try:
        ratios = ratios_in(arguments.build)
        if arguments.accept:
            kept = {words: round(ratio, 3) for words, ratio in ratios.items()}
            arguments.baseline.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
            return 0
        accepted = json.loads(arguments.baseline.read_text(encoding="utf-8"))
    except (OSError, ValueError) as trouble:
        print(f"instruction_guard: {trouble}", file=sys.stderr)
        return 2
    print("  ratio accepted  run: instructions over those of the strong loop")
    failures = compare(ratios, accepted)
    print(f"{len(ratios)} runs counted, {failures} above what is accepted")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main())
