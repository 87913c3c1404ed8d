# SPDX-License-Identifier: Apache-2.0
# One compile-failure test: -D compiler, -D folders (include path), -D precompiled, -D source.

list(TRANSFORM folders PREPEND -I)
file(STRINGS ${source} whole REGEX "^#include \"lockstep/lockstep.hpp\"")
if(whole)
  set(include -I${precompiled} -include lockstep/lockstep.hpp)
endif()
set(command ${compiler} -std=c++20 -fsyntax-only ${include} ${folders} ${source})

file(STRINGS ${source} expected REGEX "^ *// expected: ")
list(LENGTH expected count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${source}: ${count} comments '// expected: REGEX', wanted one")
endif()
string(REGEX REPLACE "^ *// expected: " "" expected "${expected}")

execute_process(COMMAND ${command} WORKING_DIRECTORY ${precompiled} RESULT_VARIABLE status
                ERROR_VARIABLE diagnostics)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${source} must compile as it stands:\n${diagnostics}")
endif()

execute_process(COMMAND ${command} -DMUST_NOT_COMPILE WORKING_DIRECTORY ${precompiled}
                RESULT_VARIABLE status ERROR_VARIABLE diagnostics)
if(status EQUAL 0)
  message(FATAL_ERROR "${source} compiles with MUST_NOT_COMPILE: the rule is not enforced")
endif()
if(NOT diagnostics MATCHES "${expected}")
  message(FATAL_ERROR "${source} fails for another reason than '${expected}':\n${diagnostics}")
endif()
string(REGEX MATCHALL "\n" line_ends "${diagnostics}")
list(LENGTH line_ends lines)
if(lines GREATER 12)
  message(FATAL_ERROR "${source}: ${lines} lines of errors, allowed 12:\n${diagnostics}")
endif()
