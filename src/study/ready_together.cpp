// SPDX-License-Identifier: Apache-2.0
#include "study/ready_together.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/detail/wire.hpp"
#include "study/exit.hpp"

namespace lockstep::study {
namespace {

/// The state of one process before a run.
struct Readiness {
  Exit exit = Exit::ok;
  std::string problem{};
};

[[nodiscard]] Readiness readiness_after(const std::function<bool()>& prepare) {
  try {
    return {prepare() ? Exit::ok : Exit::interrupted, {}};
  } catch (const InvalidParameter& problem) {
    return {Exit::bad_request, problem.what()};
  } catch (const ResourceExhausted& problem) {
    return {Exit::no_resources, problem.what()};
  } catch (const std::bad_alloc&) {
    return {Exit::no_resources, "the operating system refused memory that was predicted to fit"};
  }
}

[[nodiscard]] std::vector<Readiness> readiness_of_all(Processes& processes, const Readiness& own) {
  Processes::Bytes bytes;
  detail::WireWriter(bytes).put(own.exit).put_all(std::span(std::as_const(own.problem)));
  std::vector<Readiness> all;
  for (const Processes::Bytes& part : detail::gathered_bytes(processes, bytes)) {
    detail::WireReader in(part);
    const Exit exit = in.take<Exit>();
    const std::vector<char> problem = in.take_all<char>();
    all.push_back({exit, {problem.begin(), problem.end()}});
  }
  return all;
}

}  // namespace

bool ready_together(Processes* processes, const std::function<bool()>& prepare) {
  if (processes == nullptr) return prepare();
  const std::vector<Readiness> all = readiness_of_all(*processes, readiness_after(prepare));
  bool ready = true;
  for (std::size_t p = 0; p < all.size(); ++p) {
    ready = ready && all[p].exit == Exit::ok;
    if (all[p].problem.empty()) continue;
    // The first process speaks for all: most problems are those of every process.
    const std::string text =
        p == 0 ? all[p].problem : fmt::format("{} (in process {})", all[p].problem, p);
    if (all[p].exit == Exit::bad_request) throw InvalidParameter(text);
    throw ResourceExhausted(text);
  }
  return ready;
}

}  // namespace lockstep::study
