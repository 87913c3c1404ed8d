// SPDX-License-Identifier: Apache-2.0
/// An executor owns its workers; two owners would both join them.
// expected: (use of deleted function|deleted copy constructor)

#include "lockstep/machine/executor.hpp"

struct OneWorker final : lockstep::Executor {
  [[nodiscard]] std::string_view name() const noexcept override { return "one"; }
  [[nodiscard]] std::size_t worker_count() const noexcept override { return 1; }
  void for_each(std::size_t count, const Body& body) override {
    for (std::size_t i = 0; i < count; ++i) body(i);
  }
};

std::size_t workers(const OneWorker& executor) {
#ifdef MUST_NOT_COMPILE
  const OneWorker copy = executor;
#else
  const OneWorker& copy = executor;
#endif
  return copy.worker_count();
}
