#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the machines that are compiled, so that the build does not grow unnoticed.

    tools/machine_guard.py bench/baselines/machines.json ARCHIVE...
    tools/machine_guard.py bench/baselines/machines.json ARCHIVE... --accept
    tools/machine_guard.py --self-test

A machine is compiled for each program type and kind of channel: that is most of the time of a build,
and unlike seconds it can be counted exactly. An archive (build/release/src/liblockstep.a) that holds
more machines than the file accepts fails, and all of its machines are listed. Fewer are reported:
--accept then keeps the lower number. A new program type has to say why it is not a schedule
in its header; a new channel of an old type, what it is for (CompiledChannels in
include/lockstep/program/program.hpp).
Exit code: 0 no more than accepted, 1 more, 2 bad request.
"""
import argparse
import contextlib
import io
import json
import pathlib
import re
import subprocess
import sys

# Every machine is a class with virtual functions, whose table cannot be inlined.
MACHINE = re.compile(r" vtable for lockstep::((?:ReceiveOnce)?Machine<.*>)$")


def machines_of(symbols):
    """The types, each once, in order; `symbols`: lines of nm, demangled."""
    return sorted({match[1] for line in symbols if (match := MACHINE.search(line))})


def symbols_of(archive):
    command = ["nm", "--demangle", "--defined-only", archive]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise ValueError(run.stderr.strip() or f"nm cannot read {archive}")
    return run.stdout.splitlines()


def compare(found, accepted):
    """`found`: machines by archive. Prints what there is to say; how many archives fail."""
    failures = 0
    for name, machines in found.items():
        most = accepted.get(name, 0)
        print(f"{name}: {len(machines)} machines, accepted {most}")
        if len(machines) > most:
            failures += 1
            print("\n".join(f"  {machine}" for machine in machines))
    return failures


def self_test():
    """A count equals itself; one machine more is found, whatever else the archive holds."""
    def vtable(name):
        return f"0000000000000000 V vtable for lockstep::{name}"

    slot = vtable("Machine<lockstep::Network, lockstep::Queues<2>, lockstep::SlotChannels>")
    spsc = vtable("Machine<lockstep::Network, lockstep::Queues<2>, lockstep::SpscChannels>")
    boxes = vtable("ReceiveOnceMachine<lockstep::ErasedTopology, lockstep::Tree>")
    others = ["", "liblockstep.a(a.o):", vtable("SerialExecutor"), vtable("catalog::MachineOf<A>"),
              vtable("StarGraph").replace("vtable", "typeinfo")]

    def failures(lines, most, name="a"):
        with contextlib.redirect_stdout(io.StringIO()):
            return compare({name: machines_of(lines)}, {"a": most})

    checks = [
        ("none", machines_of(others) == []),
        ("names", machines_of([boxes]) ==
         ["ReceiveOnceMachine<lockstep::ErasedTopology, lockstep::Tree>"]),
        ("each once", len(machines_of([slot, spsc, boxes, slot])) == 3),
        ("equal", failures([slot, spsc], 2) == 0),
        ("fewer", failures([slot] + others, 2) == 0),
        ("one more", failures([slot, spsc, boxes], 2) == 1),
        ("another channel", failures([slot, spsc], 1) == 1),
        ("an archive that nobody accepted", failures([slot], 1, "b") == 1),
    ]
    wrong = [name for name, right in checks if not right]
    print(f"machine_guard: {len(checks)} cases, wrong: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("accepted")
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--accept", action="store_true")
    arguments = parser.parse_args()
    try:
        found = {pathlib.Path(path).name: machines_of(symbols_of(path))
                 for path in arguments.archives}
        empty = [name for name, machines in found.items() if not machines]
        if empty:
            raise ValueError(f"{empty[0]} holds no machine: is it built?")
        path = pathlib.Path(arguments.accepted)
        if arguments.accept:
            counts = {name: len(machines) for name, machines in found.items()}
            path.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
            return 0
        accepted = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as trouble:
        print(f"machine_guard: {trouble}", file=sys.stderr)
        return 2
    return 1 if compare(found, accepted) else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main())
