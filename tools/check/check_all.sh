#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tests and everything else that is checked, stage by stage:
#   tools/check/check_all.sh                  all stages
#   tools/check/check_all.sh format layers    these stages
# A stage that fails does not stop the others; a table of all, with their seconds and the CPU-seconds
# of all that they ran (user), ends the output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

stages=(test format layers docs consumer counters headers changed asan tsan tidy release extreme)

build() { tools/cmake/build.sh "$@"; }

runner=() # what a stage wants its tests run under

run_tests() { # the quick and standard ones of a build folder
  "${runner[@]}" ctest --test-dir "build/$1" --label-regex '^(quick|standard)$' \
    --parallel "$(($(nproc) + 1))" --output-on-failure --no-tests=error # some wait
}

cpp_files() { find "$@" \( -name '*.hpp' -o -name '*.cpp' \) -print0; }

stage_test() { # quick and standard tests, first compiler, release
  tools/test
}

stage_format() { # as .clang-format says
  cpp_files include src tests bench |
    xargs -0 --max-args 50 --max-procs "$(nproc)" clang-format-14 --dry-run -Werror
}

stage_layers() { # include rule, sizes, licence lines, lists; the checker proved first
  tools/check/check_layers.py --self-test
  tools/check/check_layers.py
}

header_alone() { # one public header, as the only thing a source includes
  echo "#include \"${1#include/}\"" |
    clang++-14 -x c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Iinclude -Ibuild/asan/include -
}
export -f header_alone

stage_headers() { # each public header compiles alone
  build asan asan
  find include -name '*.hpp' -print0 |
    xargs -0 --max-args 1 --max-procs "$(nproc)" bash -c 'header_alone "$1"' header_alone
}

stage_changed() { # clang-tidy, on the lines that changed since a commit: LOCKSTEP_SINCE, or the last one
  local since=${LOCKSTEP_SINCE:-HEAD~1}
  if ! git rev-parse --quiet --verify "$since^{commit}" >/dev/null; then
    echo "check: there is no commit $since to compare with" >&2
    [[ -z ${LOCKSTEP_SINCE-} ]] # a history of one commit is nobody's error
    return
  fi
  build debug debug
  # Its exit code says nothing of what it found, nor of a clang-tidy that did not run.
  local log=build/debug/changed.log
  git diff --unified=0 "$since" -- '*.cpp' |
    clang-tidy-diff-14.py -p1 -path build/debug -clang-tidy-binary clang-tidy-14 -quiet -j "$(nproc)" \
      >"$log" 2>&1
  if grep --quiet --extended-regexp 'error: |^Error|^Failed|^Terminated' "$log"; then
    cat "$log"
    return 1
  fi
}

stage_tidy() { # every source, and the headers through them; the debug build compiles each by itself
  build debug debug
  find src -name '*.cpp' -print0 |
    xargs -0 --max-args 1 --max-procs "$(nproc)" clang-tidy-14 --quiet -p build/debug \
      2> >(grep -v 'warnings\? .*generated' >&2)
}

stage_counters() { # what whole collectives and the build cost, as accepted; all benchmarks compile
  tools/bench_guard.py --self-test
  tools/machine_guard.py --self-test
  tools/instruction_guard.py --self-test
  build release release lockstep lockstep_experiments lockstep_cli collective_bench channel_bench \
    in_flight_bench limit_bench step_bench topology_bench
  tools/machine_guard.py bench/baselines/machines.json \
    build/release/src/liblockstep.a build/release/src/liblockstep_experiments.a
  build/release/bench/collective_bench --benchmark_format=json >build/release/collectives.json
  tools/bench_guard.py build/release/collectives.json bench/baselines/amd-epyc-2-cores.json
  local counted=release
  if grep --quiet --max-count 1 avx512 /proc/cpuinfo; then # valgrind does not know it
    counted=counted
    build counted counted lockstep_cli limit_bench
  fi
  tools/instruction_guard.py "build/$counted" bench/baselines/instructions.json
}

stage_release() { # everything there is compiles
  build release release all
}

stage_consumer() { # install, find_package, build and run against it
  build release release lockstep lockstep_cli
  ctest --test-dir build/release --tests-regex '^consumer$' --output-on-failure --no-tests=error
}

stage_docs() { # reference manual, warnings are errors
  build release release docs
}

stage_asan() { # second compiler, heavy checks, checked library, Address-, Leak-, UndefinedBehaviorSanitizer
  build asan asan lockstep_tests
  ASAN_OPTIONS=detect_stack_use_after_return=1:check_initialization_order=1:malloc_context_size=2 \
    UBSAN_OPTIONS=print_stacktrace=1 run_tests asan
}

stage_tsan() { # ThreadSanitizer, the tests labelled `threads`
  build tsan tsan lockstep_tests
  # Version 14 maps its shadow where some kernels' address randomisation has put a library.
  if setarch "$(uname -m)" -R true 2>/dev/null; then runner=(setarch "$(uname -m)" -R); fi
  TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 run_tests tsan
}

stage_extreme() { # the long tests, in release, where they were measured
  tools/test --label extreme
}

wanted=("$@")
(($#)) || wanted=("${stages[@]}")
for stage in "${wanted[@]}"; do
  if [[ " ${stages[*]} " != *" $stage "* ]]; then
    echo "check: unknown stage '$stage', allowed: ${stages[*]}" >&2
    exit 2
  fi
done

# User time of all processes that have ended. Not by substitution: a subshell counts its own only.
cpu_file=$(mktemp)
trap 'rm -f "$cpu_file"' EXIT
read_cpu_seconds() { # into cpu_seconds
  local minutes seconds
  times >"$cpu_file"
  IFS='m.' read -r minutes seconds _ < <(tail -n 1 "$cpu_file")
  cpu_seconds=$((60 * minutes + seconds))
}

tools/setup --check
failed=()
table=""
for stage in "${wanted[@]}"; do
  echo "== $stage"
  begin=$SECONDS
  read_cpu_seconds
  cpu_begin=$cpu_seconds
  # Not as a condition: bash ignores `set -e` inside conditions.
  set +e
  (
    set -e
    "stage_$stage"
  )
  status=$?
  set -e
  verdict=passed
  ((status == 0)) || verdict=FAILED failed+=("$stage")
  read_cpu_seconds
  printf -v row '%-10s %-6s %5d s %6d CPU-s' "$stage" "$verdict" $((SECONDS - begin)) \
    $((cpu_seconds - cpu_begin))
  echo "== $row"
  table+="$row"$'\n'
done

echo
echo "$table"
if ((${#failed[@]})); then
  echo "check: FAILED: ${failed[*]}"
  exit 1
fi
echo "check: all passed: ${wanted[*]} ($SECONDS s, $cpu_seconds CPU-s)"
