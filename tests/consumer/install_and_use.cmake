# SPDX-License-Identifier: Apache-2.0
# Installs the build into an empty folder, then configures, builds and runs this folder's project
# against it: -D build, -D compiler, -D generator.

set(scratch ${build}/consumer_test)
set(prefix ${scratch}/installed)
file(REMOVE_RECURSE ${scratch})

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${text}")
  endif()
endfunction()

run("installation" ${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run("configuration" ${CMAKE_COMMAND} -G ${generator} -S ${prefix}/share/doc/lockstep/examples -B
    ${scratch}/build -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_BUILD_TYPE=Release)
run("build" ${CMAKE_COMMAND} --build ${scratch}/build)
run("examples" ${CMAKE_CTEST_COMMAND} --test-dir ${scratch}/build --no-tests=error
    --output-on-failure)
run("installed program" ${prefix}/bin/lockstep --version)

foreach(file share/bash-completion/completions/lockstep share/man/man1/lockstep.1
             share/doc/lockstep/copyright include/lockstep/core/version.hpp)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

# A file of the user's own stays.
file(TOUCH ${prefix}/share/doc/lockstep/own)
run("removal" ${CMAKE_COMMAND} -D manifest=${build}/install_manifest.txt -P
    ${CMAKE_CURRENT_LIST_DIR}/../../tools/cmake/uninstall.cmake)
file(GLOB_RECURSE left LIST_DIRECTORIES false RELATIVE ${prefix} ${prefix}/*)
if(NOT left STREQUAL "share/doc/lockstep/own" OR EXISTS ${prefix}/include/lockstep)
  message(FATAL_ERROR "left after the removal: ${left}")
endif()
file(REMOVE_RECURSE ${scratch})
