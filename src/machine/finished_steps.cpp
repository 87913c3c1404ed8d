// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <optional>
#include <thread>

#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/step_observer.hpp"

namespace lockstep {

FinishedSteps::FinishedSteps() = default;
FinishedSteps::~FinishedSteps() = default;

std::optional<RunRecord> FinishedSteps::record() const {
  State before = State::offered;
  // acquire: pairs with the release of offer() and close(). Between passes the loop is at work for
  // less than a microsecond.
  while (!state_.compare_exchange_weak(before, State::read, std::memory_order_acquire)) {
    if (before == State::none) return std::nullopt;  // close() may be writing what it keeps
    if (before == State::closed) break;
    before = State::offered;
    std::this_thread::yield();
  }
  std::optional<RunRecord> found = before == State::closed ? kept_ : *offered_;
  if (found) found->wall.step_seconds = step_seconds_;
  if (before != State::closed) {
    // release: pairs with the acquire of withdraw(), which changes what was read here.
    state_.store(State::offered, std::memory_order_release);
    state_.notify_all();
  }
  if (!found || found->steps == 0) return std::nullopt;
  found->interrupted = true;
  return found;
}

void FinishedSteps::offer(const RunRecord& record) {
  offered_ = &record;
  state_.store(State::offered, std::memory_order_release);  // pairs with the acquire of record()
}

void FinishedSteps::withdraw() {
  State now = State::offered;
  // acquire: pairs with the release of record(). One indivisible operation per step: a mutex would
  // be two and two calls.
  while (!state_.compare_exchange_strong(now, State::changing, std::memory_order_acquire)) {
    state_.wait(now, std::memory_order_relaxed);
    now = State::offered;
  }
}

void FinishedSteps::close(const RunRecord& record) {
  const State now = state_.load(std::memory_order_relaxed);
  if (now == State::offered || now == State::read) withdraw();  // a task threw
  if (record.interrupted) kept_ = record;
  state_.store(State::closed, std::memory_order_release);  // pairs with the acquire of record()
}

}  // namespace lockstep
