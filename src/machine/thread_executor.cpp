// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/thread_executor.hpp"

namespace lockstep {

std::unique_ptr<Executor> detail::make_thread_executor(std::size_t workers) {
  return std::make_unique<ThreadExecutor>(workers);
}

}  // namespace lockstep
