// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Runs drawn at random from the whole catalogue: algorithm after algorithm, each on a network of a
/// family that it supports, with a block size, parameters, channel and verification of its own. The
/// same seed draws the same runs on hosts with as many cores.
///
///     RunDraws draws(7, {1, 2});
///     const RunRequest request = draws.next();     // prepare() may refuse it

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::study {

class RunDraws {
 public:
  /// Numbers of workers to draw from; the last one is drawn most often.
  RunDraws(std::uint64_t seed, std::vector<std::size_t> workers);

  /// Without parameters that select a variant; see vary().
  [[nodiscard]] RunRequest next();
  /// A variant of the prepared run, drawn from those that `compare` runs; the run itself where it
  /// has none.
  [[nodiscard]] RunRequest vary(const RunRequest& request, const PreparedRun& run);

 private:
  [[nodiscard]] std::uint64_t draw(std::uint64_t least, std::uint64_t most);
  [[nodiscard]] std::string network();

  std::mt19937_64 random_;
  std::vector<std::size_t> workers_;
  std::vector<std::size_t> order_{};  // of the algorithms of the catalogue that are left
};

}  // namespace lockstep::study
