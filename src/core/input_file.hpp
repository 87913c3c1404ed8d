// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The text of an input file: networks, schedules, tables, placements, calibrations, sweeps.
///
///     const std::string text = input_text("net.txt.gz", std::uint64_t{1} << 30U);

#include <cstdint>
#include <string>

namespace lockstep {

/// The whole text. A file compressed by gzip is decompressed, a byte-order mark of UTF-8 is
/// removed. `most_bytes`: the largest text that is accepted, after decompression. Throws
/// InvalidParameter for a larger text, a file that cannot be read, a directory, a device, a damaged
/// gzip file, and text in UTF-16 or UTF-32.
[[nodiscard]] std::string input_text(const std::string& path, std::uint64_t most_bytes);

/// Whether input_text() has read the file of this canonical path: results are not written over it.
[[nodiscard]] bool was_read(const std::string& path);

}  // namespace lockstep
