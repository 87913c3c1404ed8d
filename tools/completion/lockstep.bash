# SPDX-License-Identifier: Apache-2.0
# bash completion for lockstep. Everything offered is asked of the program itself, so that a new
# command, option, topology or algorithm needs no edit here.

_lockstep_subcommands() { # of PROGRAM [COMMAND]
  "$@" --help 2>/dev/null | sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z-]*\).*/\1/p'
}

_lockstep_options() { # of PROGRAM COMMAND...
  "$@" --help 2>/dev/null | sed -nE 's/^ +(-[a-z],)?(--[a-z][a-z-]*).*/\2/p'
}

# First column of PROGRAM list WHAT [TOPOLOGY [OPERATION]], without its heading, each once.
_lockstep_list() {
  local program=$1
  shift
  "$program" list "$@" --format csv 2>/dev/null | tail -n +2 |
    sed -E 's/^"([^"]*)".*/\1/; t; s/,.*//' | sort -u
}

# Topologies up to their sizes: "star:".
_lockstep_topologies() {
  _lockstep_list "$1" topologies | sed -E 's/[:(].*/:/; s/^product:/product(/' | sort -u
}

# The words that an algorithm's parameter takes, or FILE.
_lockstep_values() {
  "$1" list parameters --format csv 2>/dev/null |
    sed -nE "s/^$2,(FILE|[a-z][^,]*),.*/\\1/p" | sed 's/[A-Za-z:]*|FILE/FILE/'
}

# Sets topology and operation from the words behind the command that are no options and no values.
_lockstep_positions() {
  local with_value word skip=""
  with_value=" $("$1" "$2" --help 2>/dev/null | sed -nE 's/^ +(-[a-z],)?(--[a-z-]+)(,--[a-z-]+)* [^ ].*/\2/p' | tr '\n' ' ')"
  for word in "${typed[@]:2:${#typed[@]}-3}"; do
    if [[ -n $skip ]]; then
      skip=""
    elif [[ $word == -* ]]; then
      [[ $word == *=* || $with_value != *" $word "* ]] || skip=yes
    else
      places+=("${word//[\'\"]/}") # a network in quotes; blanks in it are beyond this
    fi
  done
}

_lockstep() {
  # Bash breaks words at colons; "star:7" is one word for us.
  local line=${COMP_LINE:0:COMP_POINT} typed=() places=() words=""
  read -ra typed <<<"$line"
  [[ $line != *" " ]] || typed+=("")
  local program=${typed[0]} command=${typed[1]:-} count=${#typed[@]}
  local current=${typed[count - 1]} previous=${typed[count - 2]}
  COMPREPLY=()
  ((count > 2)) && _lockstep_positions "$program" "$command"
  local first=${places[0]%%..*} second=${places[1]:-} # of a range its least

  if ((count == 2)); then
    words="$(_lockstep_subcommands "$program") help --help --version"
  elif [[ $current == -* && $command == table ]]; then
    words=$(_lockstep_options "$program" table $first)
  elif [[ $current == -* ]]; then
    words=$(_lockstep_options "$program" "$command")
  elif [[ $previous == --* ]]; then
    case $previous in
      --algorithm) words=$(_lockstep_list "$program" algorithms $first $second) ;;
      --channel) words="auto $(_lockstep_list "$program" channels)" ;;
      --executor) words="tbb thread serial" ;;
      --format) words="text json csv" && [[ $command != show ]] || words="text json dot svg" ;;
      --port-model) words=$(_lockstep_list "$program" ports) ;;
      --verify) words="auto exact digest off" ;;
      --output | --trace) words=FILE ;;
      --quiet | --series | --dry-run | --resume | --overwrite) previous="" ;;
      *) words=$(_lockstep_values "$program" "${previous#--}") ;;
    esac
  fi
  if [[ -z $words && $previous != --* && $current != -* ]]; then
    case $command,${#places[@]} in
      help,0) words=$(_lockstep_subcommands "$program") ;;
      table,0) words=$(_lockstep_subcommands "$program" table) ;;
      table,1) words="star:" && [[ $first != check ]] || words=FILE ;;
      table,2) words="total odd" && [[ $first != show ]] || words="total odd base-total base-odd" ;;
      list,0) words=$(_lockstep_list "$program" subjects) ;;
      reproduce,0) words="$(_lockstep_list "$program" papers) all" ;;
      run,0 | sweep,0 | compare,0 | show,0 | list,1) words=$(_lockstep_topologies "$program") ;;
      run,1 | compare,1 | sweep,1) words=$(_lockstep_list "$program" operations "$first") ;;
      list,2) words=$(_lockstep_list "$program" operations "$second") ;;
    esac
  fi

  [[ $words != *FILE* ]] || compopt -o default 2>/dev/null
  [[ $words != *:* ]] || compopt -o nospace 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -W "${words//FILE/}" -- "$current")
  local before=${current%"${current##*:}"}
  [[ $COMP_WORDBREAKS != *:* ]] || COMPREPLY=("${COMPREPLY[@]#"$before"}")
}

complete -F _lockstep lockstep
