// SPDX-License-Identifier: Apache-2.0
#pragma once

/// stdin, stdout and stderr as whoever started the program left them: open, closed, full, or a pipe
/// that nobody reads. Results that cannot be written are an error. Diagnostics that cannot be
/// written are lost: they change neither the exit code nor the run.

#include <string_view>

namespace lockstep::cli {

/// First in main. Occupies each closed descriptor, so that no file that is opened later becomes
/// stdout or stderr; reading or writing such a descriptor still fails. A pipe without readers
/// is an error of the write, not a signal.
void secure_standard_streams() noexcept;

/// The way of notes to stderr; ignores all errors.
void write_diagnostic(std::string_view text) noexcept;
/// From now on, write_diagnostic() writes nothing: another process prints the same.
void drop_diagnostics() noexcept;

}  // namespace lockstep::cli
