#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures once and builds: tools/cmake/build.sh FOLDER PRESET [TARGET...]
#   tools/cmake/build.sh debug debug          # only configures
#   tools/cmake/build.sh debug debug all      # in build/debug, as CMakePresets.json says
# Silent when there is nothing to do; one progress line on stderr otherwise; on failure the
# compiler's words in full. Two calls for one folder wait for each other.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

folder=build/$1
preset=$2
targets=("${@:3}")

mkdir -p "$folder"
exec 9>"$folder/.lock"
if ! flock -n 9; then
  echo "lockstep: waiting for another build in $folder" >&2
  flock 9
fi

log=$folder/.build_log
if [[ ! -e $folder/build.ninja ]]; then
  if ! cmake --preset "$preset" -B "$folder" >"$log" 2>&1; then
    cat "$log" >&2
    echo "lockstep: configuration failed: $folder" >&2
    exit 1
  fi
fi

((${#targets[@]})) || exit 0

# Keeps the log and shows where the build is: one overwritten line on a terminal, one line elsewhere.
show_progress() {
  local line started=""
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking|Generating) ]] || continue
    if [[ -t 2 ]]; then
      printf '\rlockstep: building %s %s of %s ' "$folder" "${BASH_REMATCH[@]:1:2}" >&2
    elif [[ -z $started ]]; then
      echo "lockstep: building $folder" >&2
    fi
    started=yes
  done
  [[ -z $started || ! -t 2 ]] || printf '\r\033[K' >&2
}

export NINJA_STATUS="[%f/%t] "
if ! ninja -C "$folder" "${targets[@]}" 2>&1 | show_progress 3>"$log"; then
  sed -n '/^FAILED: \|^ninja: error\|^CMake Error/,$p' "$log" >&2
  echo "lockstep: build failed: $folder" >&2
  exit 1
fi
