// SPDX-License-Identifier: Apache-2.0
#include "study/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "lockstep/machine/detail/wire.hpp"
#include "report/fields.hpp"

namespace lockstep::study {

using Object = nlohmann::ordered_json;

Timeline::Timeline(std::unique_ptr<Executor> executor, std::size_t block_bytes, std::size_t slices)
    : timed_(std::move(executor), *this), block_bytes_(block_bytes), most_slices_(slices) {}

void Timeline::TimedExecutor::for_each(std::size_t count, const Body& body) {
  if (!timeline_.started_) return inner_->for_each(count, body);
  timeline_.begin_pass();
  inner_->for_each(count, [&](std::size_t i) {
    const Clock::time_point begin = Clock::now();
    body(i);
    timeline_.note(begin, Clock::now());
  });
}

void Timeline::begin_pass() {
  const std::lock_guard lock(mutex_);
  kept_ = begun_ % stride_ == 0;
  if (kept_ && slices_ + timed_.worker_count() > most_slices_) {
    halve();
    kept_ = begun_ % stride_ == 0;
  }
  if (kept_) {
    passes_.push_back({.number = begun_, .begin = Clock::now()});
    passes_.back().workers.resize(workers_.size());
  }
  ++begun_;
}

void Timeline::halve() {
  stride_ *= 2;
  std::erase_if(passes_, [&](const Pass& pass) { return pass.number % stride_ != 0; });
  slices_ = 0;
  for (const Pass& pass : passes_)
    for (const Slice& slice : pass.workers) slices_ += slice.tasks != 0 ? 1 : 0;
}

void Timeline::note(Clock::time_point begin, Clock::time_point end) {
  const std::lock_guard lock(mutex_);
  if (!kept_) return;
  const auto known = std::ranges::find(workers_, std::this_thread::get_id());
  const auto worker = static_cast<std::size_t>(known - workers_.begin());
  if (known == workers_.end()) workers_.push_back(std::this_thread::get_id());
  std::vector<Slice>& slices = passes_.back().workers;
  slices.resize(workers_.size());
  Slice& slice = slices[worker];
  slice.begin = slice.tasks == 0 ? begin : std::min(slice.begin, begin);
  slice.end = std::max(slice.end, end);
  slice.busy_seconds += std::chrono::duration<double>(end - begin).count();
  if (slice.tasks == 0) ++slices_;
  ++slice.tasks;
}

/// A step is reported when the pass behind it is over; its messages were sent in the pass of its
/// number.
void Timeline::on_step(const StepRecord& step) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = passes_.size(); i > 0 && passes_[i - 1].number >= step.step; --i)
    if (passes_[i - 1].number == step.step) passes_[i - 1].step = step;
}

std::string Timeline::events(std::size_t process, const std::string& name) const {
  const Clock::time_point zero = passes_.empty() ? Clock::time_point{} : passes_.front().begin;
  const auto us = [](auto duration) {
    return std::chrono::duration<double, std::micro>(duration).count();
  };
  const std::size_t pid = process + 1;
  Object events = Object::array();
  events.push_back(
      {{"ph", "M"}, {"pid", pid}, {"name", "process_name"}, {"args", {{"name", name}}}});
  for (std::size_t w = 0; w < workers_.size(); ++w)
    events.push_back({{"ph", "M"},
                      {"pid", pid},
                      {"tid", w + 1},
                      {"name", "thread_name"},
                      {"args", {{"name", fmt::format("worker {}", w)}}}});
  for (const Pass& pass : passes_) {
    for (std::size_t w = 0; w < pass.workers.size(); ++w) {
      const Slice& slice = pass.workers[w];
      if (slice.tasks == 0) continue;
      events.push_back({{"ph", "X"},
                        {"pid", pid},
                        {"tid", w + 1},
                        {"ts", us(slice.begin - zero)},
                        {"dur", us(slice.end - slice.begin)},
                        {"name", fmt::format("step {}", pass.number)},
                        {"cat", "step"},
                        {"args", {{"tasks", slice.tasks}, {"busy_us", 1e6 * slice.busy_seconds}}}});
    }
    if (!pass.step || process != 0) continue;
    const auto count = [&](const char* counter, std::uint64_t value) {
      events.push_back({{"ph", "C"},
                        {"pid", pid},
                        {"ts", us(pass.begin - zero)},
                        {"name", counter},
                        {"args", {{counter, value}}}});
    };
    count("messages", pass.step->messages);
    count("hops", pass.step->hops);
    count("bytes", pass.step->blocks * block_bytes_);
  }
  return events.dump();
}

std::string Timeline::json(const Provenance& provenance, Processes* processes) const {
  std::vector<std::string> tracks;
  if (processes == nullptr) {
    tracks.push_back(events(0, "lockstep"));
  } else {
    const std::size_t own = processes->rank();
    Processes::Bytes bytes;
    lockstep::detail::WireWriter(bytes).put_text(events(own, fmt::format("process {}", own)));
    for (const Processes::Bytes& track :
         lockstep::detail::bytes_for_first(*processes, std::move(bytes)))
      tracks.push_back(lockstep::detail::WireReader(track).take_text());
    if (tracks.empty()) return {};
  }
  Object trace{{"displayTimeUnit", "ms"}};
  trace["otherData"] = report::json_tree(report::provenance_fields(provenance));
  trace["otherData"]["sampling"] =
      stride_ == 1 ? fmt::format("all {} passes of the step loop", begun_)
                   : fmt::format(
                         "one of {} of the {} passes of the step loop: those whose step is a "
                         "multiple of {}",
                         stride_, begun_, stride_);
  trace["otherData"]["slices"] =
      "pass t sends the messages of step t and takes those of step t - 1";
  Object& all = trace["traceEvents"] = Object::array();
  for (const std::string& track : tracks)
    for (Object& event : Object::parse(track)) all.push_back(std::move(event));
  return trace.dump(-1, ' ', false, Object::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::study
