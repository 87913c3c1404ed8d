# SPDX-License-Identifier: Apache-2.0
# bash completion for lockstep. Everything offered is asked of the program itself, so that a new
# command, option, topology or algorithm needs no edit here.

_lockstep_subcommands() {
  "$@" --help 2>/dev/null | sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z-]*\).*/\1/p'
}

_lockstep_options() {
  "$@" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u
}

# First column of `lockstep list WHAT`, without its heading.
_lockstep_list() {
  "$1" list "$2" --format csv 2>/dev/null | sed '/^#/d' | tail -n +2 |
    sed -E 's/^"([^"]*)".*/\1/; t; s/,.*//'
}

# The values of an algorithm's parameter: words, or what stands for them ("FILE").
_lockstep_values() {
  "$1" list parameters --format csv 2>/dev/null |
    sed -n "s/^$2,\\(FILE\\|[a-z][a-z -]*\\)[^,]*,.*/\\1/p"
}

_lockstep() {
  local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} words=""
  local previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  COMPREPLY=()

  if ((COMP_CWORD == 1)); then
    words="$(_lockstep_subcommands "$program") --help --version"
  elif [[ $current == -* ]]; then
    words=$(_lockstep_options "$program" "$command")
  else
    case $previous in
      --algorithm) words=$(_lockstep_list "$program" algorithms) ;;
      --channel) words="auto $(_lockstep_list "$program" channels)" ;;
      --executor) words="tbb thread serial" ;;
      --format) words="text json csv" ;;
      --verify) words="auto exact digest off" ;;
      --output | --trace | --resume) compopt -o default ;;
      --*)
        words=$(_lockstep_values "$program" "${previous#--}")
        [[ $words != FILE ]] || { words="" && compopt -o default; }
        ;;
      table) words=$(_lockstep_subcommands "$program" table) ;;
      list) words=$(_lockstep_list "$program" subjects) ;;
      run | sweep | compare | tune | show) words=$(_lockstep_list "$program" topologies) ;;
      *) words="$(_lockstep_list "$program" operations) $(_lockstep_list "$program" topologies)" ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  __ltrim_colon_completions "$current" 2>/dev/null # "star:7" is one word for us, three for bash
}

complete -F _lockstep lockstep
