#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the tree to its layout. One line per departure, exit code 1 if there is any.

  check_layers.py [FOLDER]      the project, by default the one this file stands in
  check_layers.py --self-test   proves that every rule objects to a tree that breaks it

Rules:
  include   a file of a layer includes only its own layer or a lower one (LAYERS, lowest first);
            layers of one rank do not see each other, and nobody inside sees the umbrella header
  oracle    the reference machine sees plain data of the machine, none of its code (ORACLE_SEES),
            and only tests and `stress` see the reference machine (ORACLE_USERS)
  pragma    a header says #pragma once
  licence   a source, script or build file starts with the SPDX line
  size      a header or source has at most 400 lines (the top-level CMakeLists.txt under 80),
            or says why not in a comment "// size: reason"
  idea      a source has at most one anonymous namespace: two are two files (TO_BE_SPLIT may only shrink)
  floating  a comment at the level of namespaces belongs to the declaration below it, without an empty line;
            only the comments above the code of a file stand alone (FLOATING may only shrink)
  plain     at most MOST_CLAUSES comments begin with What, Of or Where: sentences begin with their subject
  width     no line of a header or source is longer than clang-format makes them; it leaves code in
            comments alone (raw strings may be longer)
  listed    every source, test and benchmark is named in its tree's CMakeLists.txt
  threads   a test that names what runs threads (THREADS), itself or in a header of tests/support it
            includes, has the label `threads`: ThreadSanitizer runs these and no others
  apart     what a test source defines stands in an anonymous namespace: those of a folder share one
            program, and a second type of the same name would be nobody's error
  streams   no file writes to stderr or std::cout with what throws or prints elsewhere (STREAMS):
            write_diagnostic() and Output do; a failed invariant prints and aborts (MAY_PRINT)
  top       no other entry at the top level than TOP_LEVEL and dot-files
"""

import pathlib
import re
import sys
import tempfile

LAYERS = [
    {"core"},
    {"topology"},
    {"collective"},
    {"program"},
    {"algorithm", "machine"},
    {"verify"},
    {"cost", "reference"},
    {"report"},
    {"catalog"},
    {"study"},
    {"papers"},
    {"cli"},
]
ORACLE_SEES = {f"lockstep/machine/{file}.hpp" for file in ("fault", "run_record", "send_event")}
ORACLE_USERS = "study/stress"
RANK = {layer: rank for rank, layers in enumerate(LAYERS) for layer in layers}
TOP_LEVEL = {"CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE", "include", "src", "tests", "bench",
             "tools"}
BUILD_OUTPUT = {"build"}  # ignored by git
LINE_LIMIT = {".hpp": 400, ".cpp": 400}
TOP_CMAKE_LINES = 80
TO_BE_SPLIT = {"src/verify/judgement.cpp"}
FLOATING = {f"include/lockstep/{file}.hpp" for file in (
    "machine/arrival", "machine/detail/step_view_memory_inline", "machine/detail/task_outcome", "machine/machine",
    "machine/receive_once_machine", "verify/delivery", "verify/judgement")}
MOST_CLAUSES = 30  # may only go down
COLUMNS = 100
LISTED = [("src", "*.cpp"), ("tests", "*_test.cpp"), ("tests/compile_fail", "*.cpp"), ("bench", "*.cpp")]
LICENSED = {".hpp", ".cpp", ".cmake", ".py", ".sh", ".bash", ".in", ""}

SERIAL = "ExecutorKind::serial"
THREADS = re.compile(r"\b(ExecutorKind::serial|workers|ExecutorKind|ChannelKind|\w*Channels"
                     r"|every_channel|stop_(token|source)|execute|j?thread|program_path)\b")

STREAMS = re.compile(r"\bstderr\b|\bstd::(cout|cerr|clog|perror|puts|printf)\b|\bfmt::print\b")
MAY_PRINT = {"include/lockstep/core/expects.hpp"}

SPDX = "SPDX-License-Identifier: Apache-2.0"
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
CLAUSES = {"What", "Of", "Where"}
# Code or nothing before the marks, and the first word behind them.
CPP_COMMENT = re.compile(r"\s*(?:(\S.*?)\s)?//[/<]*\s*(\w*)")
OTHER_COMMENT = re.compile(r"\s*()#\s*(\w*)")
SUPPORT = re.compile(r'^#include "(support/[^"]+)"', re.MULTILINE)
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
NAMESPACE = re.compile(r"namespace\s*([\w:]*)\s*\{$")
DEPARTURE = re.compile(r"//\s*size:\s*\S")


def files_below(root, folders):
    for folder in folders:
        yield from sorted(path for path in (root / folder).rglob("*") if path.is_file())


def cpp_files(root, folders):
    return [path for path in files_below(root, folders) if path.suffix in LINE_LIMIT]


def included_layer(name):
    """Layer of an included file; None if it is not ours, "" for the umbrella header."""
    parts = name.split("/")
    if parts[0] == "lockstep":
        parts = parts[1:]
        if len(parts) == 1:
            return ""
    return parts[0] if len(parts) > 1 and parts[0] in RANK else None


def check_includes(root):
    for folder in ("include/lockstep", "src"):
        for path in cpp_files(root, [folder]):
            parts = path.relative_to(root / folder).parts
            if len(parts) == 1:
                continue  # the umbrella header
            layer = parts[0]
            if layer not in RANK:
                yield path, f"'{layer}' is not a layer"
                continue
            for name in INCLUDE.findall(path.read_text()):
                other = included_layer(name)
                if other is None or other == layer:
                    continue
                if other == "":
                    yield path, f"includes {name}: inside, include what you use"
                elif RANK[other] >= RANK[layer]:
                    yield path, f"includes {name}: {layer} may not see {other}"


def check_oracle(root):
    for folder in ("include/lockstep", "src"):
        for path in cpp_files(root, [folder]):
            file = path.relative_to(root / folder).as_posix()
            oracle = file.startswith("reference/")
            for name in INCLUDE.findall(path.read_text()):
                if oracle and included_layer(name) == "machine" and name not in ORACLE_SEES:
                    yield path, f"includes {name}: the reference machine has no code of the machine"
                elif name.startswith("reference/") and not oracle and not file.startswith(ORACLE_USERS):
                    yield path, f"includes {name}: for tests and {ORACLE_USERS}* only"


def check_pragma(root):
    for path in cpp_files(root, ["include", "src", "tests", "bench"]):
        if path.suffix == ".hpp" and "#pragma once" not in path.read_text().splitlines():
            yield path, "no #pragma once"


def check_licence(root):
    for path in files_below(root, ["include", "src", "tests", "bench", "tools", ".ci"]):
        licensed = path.suffix in LICENSED or path.name == "CMakeLists.txt"
        if not licensed or "golden" in path.parts or "__pycache__" in path.parts:
            continue
        lines = path.read_text().splitlines()[:2]
        first = lines[1:] if lines and lines[0].startswith("#!") else lines[:1]
        if not first or SPDX not in first[0]:
            yield path, f"does not start with {SPDX}"


def check_size(root):
    for path in cpp_files(root, ["include", "src", "tests", "bench"]):
        text = path.read_text()
        lines, limit = len(text.splitlines()), LINE_LIMIT[path.suffix]
        if lines > limit and not DEPARTURE.search(text):
            yield path, f"{lines} lines, allowed {limit} (or a comment '// size: reason')"
    top = root / "CMakeLists.txt"
    if top.exists() and len(top.read_text().splitlines()) >= TOP_CMAKE_LINES:
        yield top, f"allowed under {TOP_CMAKE_LINES} lines"


def check_idea(root):
    for path in cpp_files(root, ["src", "tests", "bench"]):
        count = path.read_text().splitlines().count("namespace {")
        if count > 1 and path.suffix == ".cpp" and path.relative_to(root).as_posix() not in TO_BE_SPLIT:
            yield path, f"{count} anonymous namespaces: split the file by its ideas"


def check_floating(root):
    for path in cpp_files(root, ["include", "src", "tests", "bench"]):
        known = path.relative_to(root).as_posix() in FLOATING
        lines = without_raw_strings(path.read_text()).splitlines()
        is_code = False
        for number, (line, below) in enumerate(zip(lines, lines[1:] + [""]), 1):
            is_comment = line.startswith("//")
            if is_code and is_comment and not below and "clang-format on" not in line and not known:
                yield path, f"line {number}: the comment belongs to no declaration"
            is_code = is_code or (line != "" and not is_comment and not line.startswith("#"))


def check_plain(root):
    found = [(path, number) for path in files_below(root, ["include", "src", "tests", "bench", "tools"])
             if has_comments(path) for number in clauses_in(path)]
    if len(found) > MOST_CLAUSES:
        for path, number in found:
            yield path, f"line {number}: begins with a clause; {len(found)} do, allowed {MOST_CLAUSES}"


def has_comments(path):
    known = path.suffix in LICENSED or path.name == "CMakeLists.txt"
    return known and "golden" not in path.parts and "__pycache__" not in path.parts


def clauses_in(path):
    """The lines in which a comment begins with What, Of or Where."""
    comment = CPP_COMMENT if path.suffix in LINE_LIMIT or ".hpp" in path.name else OTHER_COMMENT
    goes_on = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = comment.match(line)
        if found and not (goes_on and not found.group(1)) and found.group(2) in CLAUSES:
            yield number
        goes_on = found is not None and not found.group(1)


def without_raw_strings(text):
    return RAW_STRING.sub(lambda raw: "\n" * raw.group().count("\n"), text)


def check_width(root):
    for path in cpp_files(root, ["include", "src", "tests", "bench"]):
        code = without_raw_strings(path.read_text())
        for number, line in enumerate(code.splitlines(), 1):
            if len(line) > COLUMNS:
                yield path, f"line {number}: {len(line)} columns, allowed {COLUMNS}"


def check_listed(root):
    for tree, pattern in LISTED:
        lists = [path for path in files_below(root, [tree]) if path.name == "CMakeLists.txt"]
        code = " ".join(line for path in lists for line in path.read_text().splitlines()
                        if not line.lstrip().startswith("#"))
        for path in sorted((root / tree).rglob(pattern)):
            folder = path.parent.relative_to(root / tree).as_posix()
            if not is_named(code, folder, path.stem):
                yield path, f"not on a list in {tree}/CMakeLists.txt"


def is_named(code, folder, file):
    """Does a call name the file, as folder/file.cpp or after its folder: call(folder file)?"""
    if folder == ".":
        return re.search(rf"(?<![\w/]){file}\b", code) is not None
    whole = re.search(rf"(?<![\w/]){folder}/{file}\.cpp\b", code)
    return whole is not None or any(re.search(rf"(?<![\w/]){file}\b", call)
                                    for call in calls_for(code, folder))


def calls_for(code, folder):
    """What stands after the folder in call(folder ...)."""
    return re.findall(rf"\(\s*{folder}\s([^)]*)\)", code)


def check_threads(root):
    lists = root / "tests/CMakeLists.txt"
    code = lists.read_text() if lists.exists() else ""
    for path in sorted((root / "tests").rglob("*_test.cpp")):
        named = named_threads(root, path, set())
        folder = path.parent.relative_to(root / "tests").as_posix()
        if named and "threads" not in labels_of(code, folder, path.stem):
            yield path, f"names {named} and has no label `threads` in tests/CMakeLists.txt"


def named_threads(root, path, seen):
    """The first word of THREADS in the file or in a header of tests/support it includes, or None.

    A file whose requests name the serial executor runs no threads by `execute`.
    """
    words = thread_words(root, path, seen)
    if any(word == SERIAL for word, _ in words):
        words = [(word, name) for word, name in words if word != "execute"]
    return next((f"{word} ({name})" for word, name in words if word != SERIAL), None)


def thread_words(root, path, seen):
    """(word, file) for every word of THREADS in the file and in its headers of tests/support."""
    if path in seen or not path.exists():
        return []
    seen.add(path)
    text = path.read_text()
    code = COMMENT_OR_TEXT.sub("", text)
    words = [(found.group(1), path.name) for found in THREADS.finditer(code)]
    for name in SUPPORT.findall(text):
        words += thread_words(root, root / "tests" / name, seen)
    return words


def labels_of(code, folder, file):
    """The words behind the file in call(folder other_test word file_test word word ...)."""
    words = " ".join(calls_for(code, folder)).split()
    labels = words[words.index(file) + 1:] if file in words else []
    return labels[:next((i for i, word in enumerate(labels) if word.endswith("_test")), None)]


def check_apart(root):
    for path in sorted((root / "tests").rglob("*_test.cpp")):
        namespaces = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            opened = NAMESPACE.match(line)
            if opened:
                namespaces.append(opened.group(1))
            elif line.startswith("}  // namespace"):
                namespaces[-1:] = []
            elif re.match(r"[A-Za-z\[]", line) and "" not in namespaces and " operator " not in line:
                yield path, f"line {number} is outside an anonymous namespace"


def check_streams(root):
    for path in cpp_files(root, ["include", "src"]):
        found = STREAMS.search(COMMENT_OR_TEXT.sub("", path.read_text()))
        if found and path.relative_to(root).as_posix() not in MAY_PRINT:
            yield path, f"names {found.group()}: use write_diagnostic() or Output"


def check_top(root):
    for path in sorted(root.iterdir()):
        if path.name not in TOP_LEVEL | BUILD_OUTPUT and not path.name.startswith("."):
            yield path, "not an entry of the top level"


RULES = {
    "include": check_includes,
    "oracle": check_oracle,
    "pragma": check_pragma,
    "licence": check_licence,
    "size": check_size,
    "idea": check_idea,
    "floating": check_floating,
    "plain": check_plain,
    "width": check_width,
    "listed": check_listed,
    "threads": check_threads,
    "apart": check_apart,
    "streams": check_streams,
    "top": check_top,
}


def departures(root):
    return [(rule, path.relative_to(root), text)
            for rule, check in RULES.items() for path, text in check(root)]


# The self-test: a correct tree, and one change each that a rule must object to.

HEAD = f"// {SPDX}\n"
HEADER = HEAD + "#pragma once\n"
APART = "void* operator new(size_t);\nnamespace a {\nnamespace {\nint x;\n}  // namespace\n}  // namespace a\n"
GOOD_TREE = {
    "CMakeLists.txt": f"# {SPDX}\n",
    "LICENSE": "Apache\n",
    ".gitignore": "build/\n",
    "build/release/build.ninja": "rule\n",
    "include/lockstep/lockstep.hpp": HEADER + '#include "lockstep/verify/delivery.hpp"\n',
    "include/lockstep/core/ids.hpp": HEADER + "#include <vector>  // std::cout << id\n",
    "include/lockstep/verify/delivery.hpp": HEADER + '#include "lockstep/machine/record.hpp"\n',
    "src/CMakeLists.txt": f"# {SPDX}\nadd(core\n  other.cpp ids.cpp)\nadd_executable(x cli/main.cpp)\n",
    "src/core/ids.cpp": HEAD + '#include "lockstep/core/ids.hpp"\n#include <boost/core/x.hpp>\n'
                        "\n/// Ids.\n\nnamespace {\n/// One.\nint x;  ///< Of\n}  // namespace\n",
    "src/reference/judge.hpp": HEADER + '#include "lockstep/machine/fault.hpp"\n',
    "src/study/stress.hpp": HEADER + '#include "reference/judge.hpp"\n',
    "src/cli/main.cpp": HEAD + '#include "cli/options.hpp"\n#include "lockstep/catalog/x.hpp"\n',
    "tests/CMakeLists.txt": f"# {SPDX}\ntest_folder(\n  unit/core\n  ids_test quick\n  one_test quick\n  run_test standard threads)\n",
    "tests/support/jobs.hpp": HEADER + '#include "support/runs.hpp"\n',
    "tests/support/runs.hpp": HEADER + "int workers;\n",
    "tests/unit/core/ids_test.cpp": HEAD + "// size: a table of workers\n" + "\n" * 500,
    "tests/unit/core/one_test.cpp": HEAD + "  ExecutorKind::serial; run->execute();\n",
    "tests/unit/core/run_test.cpp": HEAD + '#include "support/jobs.hpp"\n' + APART,
    "tests/compile_fail/CMakeLists.txt": f"# {SPDX}\nadd_compile_fail_test(mixed)\n",
    "tests/compile_fail/mixed.cpp": HEAD,
    "tests/golden/papers/table.csv": "a,b\n",
    "bench/CMakeLists.txt": f"# {SPDX}\nadd_benchmark(step_bench)\n",
    "bench/step_bench.cpp": HEAD + "///" + " " * 96 + "x\nR\"x(" + "x" * 100 + ")\"\n)x\"\n",
    "tools/setup": f"#!/usr/bin/env bash\n# {SPDX}\n",
}
BAD_CHANGES = [
    ("include", "include/lockstep/core/ids.hpp", HEADER + '#include "lockstep/topology/x.hpp"\n'),
    ("include", "include/lockstep/core/ids.hpp", HEADER + "#  include <lockstep/cli/x.hpp>\n"),
    ("include", "include/lockstep/core/ids.hpp", HEADER + '#include "lockstep/lockstep.hpp"\n'),
    ("include", "include/lockstep/machine/x.hpp", HEADER + '#include "algorithm/x/y.hpp"\n'),
    ("include", "src/algorithm/a/x.hpp", HEADER + '#include "lockstep/machine/y.hpp"\n'),
    ("include", "include/lockstep/extra/x.hpp", HEADER),
    ("include", "src/core/ids.cpp", HEAD + '#include "catalog/topologies.hpp"\n'),
    ("include", "src/reference/judge.hpp", HEADER + '#include "lockstep/cost/model.hpp"\n'),
    ("oracle", "src/reference/judge.hpp", HEADER + '#include "lockstep/machine/machine.hpp"\n'),
    ("oracle", "src/study/sweep.hpp", HEADER + '#include "reference/judge.hpp"\n'),
    ("oracle", "src/cli/main.cpp", HEAD + '#include "reference/judge.hpp"\n'),
    ("oracle", "include/lockstep/catalog/x.hpp", HEADER + '#include "reference/judge.hpp"\n'),
    ("pragma", "include/lockstep/core/ids.hpp", HEAD),
    ("pragma", "tests/support/cases.hpp", HEAD + "// #pragma once\n"),
    ("licence", "src/core/ids.cpp", "int x;\n"),
    ("licence", "tools/setup", "#!/usr/bin/env bash\nset -e\n"),
    ("licence", "tools/cmake/empty.cmake", ""),
    ("size", "include/lockstep/core/ids.hpp", HEADER + "\n" * 399),
    ("size", "src/core/ids.cpp", HEAD + "\n" * 400),
    ("size", "src/core/ids.cpp", HEAD + "// size:\n" + "\n" * 399),
    ("size", "CMakeLists.txt", "\n" * 80),
    ("idea", "src/core/ids.cpp", HEAD + 2 * "namespace {\nint x;\n}  // namespace\n"),
    ("floating", "src/core/ids.cpp", HEAD + "namespace a {\n/// Ids\n/// of nodes.\n\nint x;\n}\n"),
    ("plain", "src/core/ids.cpp", HEAD + (MOST_CLAUSES + 1) * "int x;  ///< Of a node\n"),
    ("plain", "include/lockstep/core/ids.hpp", HEADER + (MOST_CLAUSES + 1) * "  // What is\n\n"),
    ("plain", "tools/setup", f"#!/usr/bin/env bash\n# {SPDX}\n" + (MOST_CLAUSES + 1) * "# Where it is\n\n"),
    ("width", "src/core/ids.cpp", HEAD + "///" + " " * 97 + "x\n"),
    ("width", "src/core/ids.cpp", HEAD + 'R"(x)"\n' + "x" * 101 + '\nR"(x)"\n'),
    ("listed", "src/core/new.cpp", HEAD),
    ("listed", "src/cost/ids.cpp", HEAD),
    ("listed", "tests/unit/core/new_test.cpp", HEAD),
    ("listed", "tests/unit/machine/ids_test.cpp", HEAD),
    ("listed", "tests/compile_fail/new.cpp", HEAD),
    ("listed", "bench/CMakeLists.txt", f"# {SPDX}\n# add_benchmark(step_bench)\n"),
    ("threads", "tests/unit/core/ids_test.cpp", HEAD + "SlotChannels channels;\n"),
    ("threads", "tests/unit/core/ids_test.cpp", HEAD + '#include "support/jobs.hpp"\n'),
    ("threads", "tests/unit/core/ids_test.cpp", HEAD + "ExecutorKind::serial; workers;\n"),
    ("threads", "tests/unit/core/ids_test.cpp", HEAD + "run->execute();\n"),
    ("threads", "tests/CMakeLists.txt",
     f"# {SPDX}\ntest_folder(unit/core run_test standard one_test quick ids_test quick threads)\n"),
    ("apart", "tests/unit/core/ids_test.cpp", HEAD + "namespace a {\nint x;\n}  // namespace a\n"),
    ("apart", "tests/unit/core/run_test.cpp", HEAD + APART + "struct Left {};\n"),
    ("streams", "src/core/ids.cpp", HEAD + 'fmt::print(file, "");\n'),
    ("streams", "src/cli/main.cpp", HEAD + "std::cerr << 1;\n"),
    ("streams", "include/lockstep/core/ids.hpp", HEADER + "fputs(text, stderr);\n"),
    ("top", "docs/page.md", "text\n"),
    ("top", "notes.txt", "text\n"),
]


def rules_broken_by(tree):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in tree.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return {rule for rule, _, _ in departures(root)}


def self_test():
    wrong = [f"a correct tree breaks {rule}" for rule in rules_broken_by(GOOD_TREE)]
    for rule, name, text in BAD_CHANGES:
        broken = rules_broken_by(GOOD_TREE | {name: text})
        if rule not in broken:
            wrong.append(f"{rule} accepts {name} = {text[:120]!r}")
    wrong += [f"{rule} has no case" for rule in RULES if rule not in {case[0] for case in BAD_CHANGES}]
    return wrong


def main(arguments):
    if arguments == ["--self-test"]:
        found = self_test()
    else:
        root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2])
        found = [f"{path}: {text} [{rule}]" for rule, path, text in departures(root.resolve())]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
