// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The two ways a request can fail before a run starts (style: impossible requests throw at
/// construction). Broken machine rules are not errors but data: see machine/run_record.hpp.
///
///     throw InvalidParameter("star:40: 40 symbols; allowed: 2..12");

#include <stdexcept>

namespace lockstep {

/// A request that cannot be honoured: what was given, what is allowed. Exit code 2.
class InvalidParameter : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A legal request that this host cannot carry: needed against available. Exit code 4.
class ResourceExhausted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lockstep
