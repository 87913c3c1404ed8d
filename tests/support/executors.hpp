// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The executor that tests use where any will do. LOCKSTEP_EXECUTOR=thread under ThreadSanitizer: a
/// stock oneTBB is not instrumented.
///
///     const auto executor = make_executor(executor_kind(), 2);

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/machine/executor.hpp"

namespace lockstep::test {

inline ExecutorKind executor_kind() {
  const char* const given = std::getenv("LOCKSTEP_EXECUTOR");
  const std::string name = given == nullptr ? "tbb" : given;
  if (name == "tbb") return ExecutorKind::tbb;
  if (name == "thread") return ExecutorKind::thread;
  if (name == "serial") return ExecutorKind::serial;
  throw std::runtime_error("LOCKSTEP_EXECUTOR=" + name + ": allowed tbb, thread, serial");
}

/// All kinds; where the environment names one, that one and serial.
inline std::vector<ExecutorKind> executor_kinds() {
  if (std::getenv("LOCKSTEP_EXECUTOR") != nullptr) return {executor_kind(), ExecutorKind::serial};
  return {ExecutorKind::tbb, ExecutorKind::thread, ExecutorKind::serial};
}

}  // namespace lockstep::test
