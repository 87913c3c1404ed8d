// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/thread_executor.hpp"

#include <memory>
#include <string>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/machine/executor.hpp"

namespace lockstep {

namespace {

class SerialExecutor final : public Executor {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "serial"; }
  [[nodiscard]] std::size_t worker_count() const noexcept override { return 1; }
  void for_each(std::size_t count, const Body& body) override {
    for (std::size_t i = 0; i < count; ++i) body(i);
  }
};

}  // namespace

std::unique_ptr<Executor> make_executor(ExecutorKind kind, std::size_t workers) {
  if (workers < 1 || workers > max_workers)
    throw InvalidParameter("workers: " + grouped(workers) + " is not valid; expected 1.." +
                           std::to_string(max_workers));
  switch (kind) {
    case ExecutorKind::serial:
      return std::make_unique<SerialExecutor>();
    case ExecutorKind::thread:
      return std::make_unique<ThreadExecutor>(workers);
    case ExecutorKind::tbb:
      return detail::make_tbb_executor(workers);
  }
  throw InvalidParameter("executor: unknown kind; allowed: tbb, thread, serial");
}

}  // namespace lockstep
