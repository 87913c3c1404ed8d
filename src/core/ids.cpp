// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/ids.hpp"

#include <string>

#include "lockstep/core/errors.hpp"

namespace lockstep::detail {
namespace {

template <class Integer>
[[noreturn]] void refuse_id(const char* what, Integer number) {
  throw InvalidParameter(std::string(what) + ": " + std::to_string(number) +
                         " is not valid; allowed: 0 to 4294967295");
}

}  // namespace

void refuse_number(const char* what, long long number) { refuse_id(what, number); }
void refuse_number(const char* what, unsigned long long number) { refuse_id(what, number); }

}  // namespace lockstep::detail
