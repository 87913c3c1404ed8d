# SPDX-License-Identifier: Apache-2.0
# LOCKSTEP_SANITIZE -> compiler and linker flags. A finding ends the program, so that no test passes
# over it.

if(LOCKSTEP_SANITIZE STREQUAL "")
  set(LOCKSTEP_SANITIZER_FLAGS)
elseif(LOCKSTEP_SANITIZE STREQUAL "address")
  # AddressSanitizer sees what object-size checks, and ends a program that uses a null pointer. Each of the
  # two takes a fifth of the time of compiling.
  set(LOCKSTEP_SANITIZER_FLAGS -fsanitize=address,undefined -fno-sanitize=object-size,null -fno-sanitize-recover=all
                               -fno-omit-frame-pointer)
  # For code that runs for moments: checks that are called, not inlined, take a sixth less time to compile.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(LOCKSTEP_CALLED_CHECKS "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")
  endif()
elseif(LOCKSTEP_SANITIZE STREQUAL "thread")
  set(LOCKSTEP_SANITIZER_FLAGS -fsanitize=thread -fno-omit-frame-pointer)
else()
  message(FATAL_ERROR "LOCKSTEP_SANITIZE is '${LOCKSTEP_SANITIZE}': allowed are '', address, thread")
endif()

if(LOCKSTEP_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "LOCKSTEP_FUZZ: needs clang, the compiler is ${CMAKE_CXX_COMPILER_ID}")
  endif()
  list(APPEND LOCKSTEP_SANITIZER_FLAGS -fsanitize=fuzzer-no-link)
endif()
