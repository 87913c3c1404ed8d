# SPDX-License-Identifier: Apache-2.0
# Precompiles lockstep/lockstep.hpp: -D compiler, -D folders (include path), -D precompiled.

list(TRANSFORM folders PREPEND -I)
file(MAKE_DIRECTORY ${precompiled}/lockstep)
set(ending gch)
if(compiler MATCHES clang)
  set(ending pch)
endif()
# Clang would read the precompiled header of an earlier run instead of the header.
file(REMOVE ${precompiled}/lockstep/lockstep.hpp.${ending})
execute_process(
  COMMAND ${compiler} -std=c++20 ${folders} -x c++-header -include lockstep/lockstep.hpp -o
          ${precompiled}/lockstep/lockstep.hpp.${ending} /dev/null COMMAND_ERROR_IS_FATAL ANY)
