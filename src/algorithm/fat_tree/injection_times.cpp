// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/injection_times.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lockstep/core/expects.hpp"

namespace lockstep {

InjectionTimes::InjectionTimes(const std::function<void(const Inject&)>& inject_all) {
  inject_all([this](std::uint64_t step, std::uint64_t sender, std::uint64_t word) {
    expects(std::max(sender, word) >> 32U == 0, "injection times: senders and words below 2^32");
    if (begin_.size() < step + 2) begin_.resize(step + 2);
    ++begin_[step + 1];
  });
  for (std::size_t step = 1; step < begin_.size(); ++step) begin_[step] += begin_[step - 1];
  senders_.resize(begin_.back());
  words_.resize(begin_.back());
  // Afterwards begin_[step] is where the next step begins.
  inject_all([&](std::uint64_t step, std::uint64_t sender, std::uint64_t word) {
    const std::uint64_t place = begin_[step]++;
    senders_[place] = static_cast<std::uint32_t>(sender);
    words_[place] = static_cast<std::uint32_t>(word);
  });
  std::copy_backward(begin_.begin(), begin_.end() - 1, begin_.end());
  begin_.front() = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of_step;
  for (std::size_t step = 0; step + 1 < begin_.size(); ++step) {
    of_step.clear();
    for (std::uint64_t i = begin_[step]; i < begin_[step + 1]; ++i)
      of_step.emplace_back(senders_[i], words_[i]);
    std::stable_sort(of_step.begin(), of_step.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::uint64_t place = begin_[step];
    for (const auto& [sender, word] : of_step) {
      senders_[place] = sender;
      words_[place++] = word;
    }
  }
}

}  // namespace lockstep
