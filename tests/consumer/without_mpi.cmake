# SPDX-License-Identifier: Apache-2.0
# Configures the project as on a machine without MPI, whether or not this one has it: no source may
# then be compiled with it. -D source, -D build, -D compiler, -D generator.

set(scratch ${build}/without_mpi_test)
file(REMOVE_RECURSE ${scratch})
execute_process(
  COMMAND
    ${CMAKE_COMMAND} -G ${generator} -S ${source} -B ${scratch} -D CMAKE_CXX_COMPILER=${compiler}
    -D LOCKSTEP_BUILD_TESTS=OFF -D LOCKSTEP_BUILD_BENCH=OFF
    # The three ways in which FindMPI looks for it.
    -D MPI_SKIP_COMPILER_WRAPPER=ON -D MPI_SKIP_GUESSING=ON -D PKG_CONFIG_EXECUTABLE=/bin/false
  RESULT_VARIABLE status
  OUTPUT_VARIABLE text
  ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "configuration failed (${status}):\n${text}")
endif()
file(STRINGS ${scratch}/compile_commands.json commands)
file(STRINGS ${scratch}/build.ninja links REGEX "LINK_LIBRARIES")
if(NOT commands MATCHES "unity_cli" OR NOT links)
  message(FATAL_ERROR "no commands in ${scratch}")
endif()
string(REGEX MATCH "LOCKSTEP_MPI|heartbeats\\.cpp|libmpi" with_mpi "${commands} ${links}")
if(with_mpi)
  message(FATAL_ERROR "compiled with MPI:\n${with_mpi}")
endif()
file(REMOVE_RECURSE ${scratch})
