// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/first_fit.hpp"

#include <fmt/format.h>

#include "lockstep/core/errors.hpp"

namespace lockstep::first_fit {

void check_plan(const std::string& name, WideCount bytes) {
  constexpr WideCount most = WideCount{4} << 30U;
  if (bytes > most)
    throw ResourceExhausted(fmt::format("{}: a plan of about {} MiB by first fit, allowed {}", name,
                                        static_cast<std::uint64_t>(bytes >> 20U),
                                        static_cast<std::uint64_t>(most >> 20U)));
}

}  // namespace lockstep::first_fit
