// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Threads of the test in place of processes: each runs its share as a process would, and they
/// exchange messages through memory.

#include <barrier>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "lockstep/machine/processes.hpp"

namespace lockstep::test {

class ThreadProcesses {
 public:
  explicit ThreadProcesses(std::size_t count)
      : mail_(count, std::vector<Processes::Bytes>(count)),
        barrier_(static_cast<std::ptrdiff_t>(count)) {}

  /// Calls the body once per process, all at once. Throws what the first of them threw; a process
  /// that waits for one that threw goes on with whatever arrived.
  void run(const std::function<void(Processes&)>& body) {
    std::vector<std::exception_ptr> failures(mail_.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t rank = 0; rank < mail_.size(); ++rank)
        threads.emplace_back([&, rank] {
          try {
            Member member(*this, rank);
            body(member);
          } catch (...) {
            failures[rank] = std::current_exception();
          }
          barrier_.arrive_and_drop();
        });
    }
    for (const std::exception_ptr& failure : failures)
      if (failure) std::rethrow_exception(failure);
  }

 private:
  class Member final : public Processes {
   public:
    Member(ThreadProcesses& all, std::size_t rank) : all_(all), rank_(rank) {}
    [[nodiscard]] std::size_t count() const noexcept override { return all_.mail_.size(); }
    [[nodiscard]] std::size_t rank() const noexcept override { return rank_; }
    void exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) override {
      for (std::size_t p = 0; p < count(); ++p)
        if (p != rank_) all_.mail_[rank_][p] = out[p];
      all_.barrier_.arrive_and_wait();
      for (std::size_t p = 0; p < count(); ++p)
        if (p != rank_) in[p] = all_.mail_[p][rank_];
      all_.barrier_.arrive_and_wait();
    }

   private:
    ThreadProcesses& all_;
    std::size_t rank_;
  };

  std::vector<std::vector<Processes::Bytes>> mail_;  // [from][to]
  std::barrier<> barrier_;
};

}  // namespace lockstep::test
