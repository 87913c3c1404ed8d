// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The reader of a pipe that results go to has ended, as in `lockstep list | head`: it has what it
/// wanted. The run ends as where any other result cannot be written, but without a message.

#include <cerrno>
#include <string>

#include "lockstep/core/errors.hpp"

namespace lockstep {

class ReaderGone : public ResourceExhausted {
 public:
  using ResourceExhausted::ResourceExhausted;
};

/// Throws ReaderGone or ResourceExhausted. `error`: errno of the write.
[[noreturn]] inline void throw_write_error(int error, const std::string& sentence) {
  if (error == EPIPE) throw ReaderGone(sentence);
  throw ResourceExhausted(sentence);
}

}  // namespace lockstep
