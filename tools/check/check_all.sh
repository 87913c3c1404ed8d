#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything CI checks beyond tools/test, stage by stage:
#   tools/check/check_all.sh                  all stages
#   tools/check/check_all.sh format layers    these stages
# A stage that fails does not stop the others; the last line names those that failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

stages=(format layers headers debug tidy release consumer docs asan tsan extreme)

build() { tools/cmake/build.sh "$@"; }

runner=() # what a stage wants its tests run under

run_tests() { # the quick and standard ones of a build folder
  "${runner[@]}" ctest --test-dir "build/$1" --label-regex '^(quick|standard)$' \
    --parallel "$(nproc)" --output-on-failure --no-tests=error
}

cpp_files() { find "$@" \( -name '*.hpp' -o -name '*.cpp' \) -print0; }

stage_format() { # as .clang-format says
  cpp_files include src tests bench | xargs -0 clang-format-14 --dry-run -Werror
}

stage_layers() { # include rule, sizes, licence lines, lists; the checker proved first
  tools/check/check_layers.py --self-test
  tools/check/check_layers.py
}

stage_headers() { # each public header compiles alone
  build debug "debug clang" all_verify_interface_header_sets
}

stage_debug() { # second compiler, heavy checks, checked standard library
  build debug "debug clang" all
  run_tests debug
}

stage_tidy() { # every source, and the headers through them
  build debug "debug clang"
  find src -name '*.cpp' -print0 |
    xargs -0 --max-args 1 --max-procs "$(nproc)" clang-tidy-14 --quiet -p build/debug \
      2> >(grep -v 'warnings\? .*generated' >&2)
}

stage_release() { # first compiler, everything there is; what whole collectives cost, as accepted
  build release release all
  tools/bench_guard.py --self-test
  build/release/bench/collective_bench --benchmark_format=json >build/release/collectives.json
  tools/bench_guard.py build/release/collectives.json bench/baselines/amd-epyc-2-cores.json
}

stage_consumer() { # install, find_package, build and run against it
  build release release lockstep lockstep_cli
  ctest --test-dir build/release --tests-regex '^consumer$' --output-on-failure --no-tests=error
}

stage_docs() { # reference manual, warnings are errors
  build release release docs
}

stage_asan() { # AddressSanitizer, LeakSanitizer, UndefinedBehaviorSanitizer
  build asan "asan clang" lockstep_tests
  ASAN_OPTIONS=detect_stack_use_after_return=1:check_initialization_order=1 \
    UBSAN_OPTIONS=print_stacktrace=1 run_tests asan
}

stage_tsan() { # ThreadSanitizer on the thread executor: a stock oneTBB is not instrumented
  build tsan "tsan clang" lockstep_tests
  # Version 14 maps its shadow where some kernels' address randomisation has put a library.
  if setarch "$(uname -m)" -R true 2>/dev/null; then runner=(setarch "$(uname -m)" -R); fi
  LOCKSTEP_EXECUTOR=thread TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 run_tests tsan
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

tools/setup --check
failed=()
for stage in "${wanted[@]}"; do
  echo "== $stage"
  begin=$SECONDS
  # Not as a condition: bash ignores `set -e` inside conditions.
  set +e
  (
    set -e
    "stage_$stage"
  )
  status=$?
  set -e
  ((status == 0)) || failed+=("$stage")
  echo "== $stage: $( ((status == 0)) && echo passed || echo FAILED ), $((SECONDS - begin)) s"
done

if ((${#failed[@]})); then
  echo "check: FAILED: ${failed[*]}"
  exit 1
fi
echo "check: all passed: ${wanted[*]} ($SECONDS s)"
