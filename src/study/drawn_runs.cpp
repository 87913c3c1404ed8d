// SPDX-License-Identifier: Apache-2.0
#include "study/drawn_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace lockstep::study {
namespace {

/// The families of networks. "[3-8]" stands for a number from 3 to 8. The largest have as many
/// nodes as can be planned within a second or two.
constexpr std::array<std::string_view, 38> families{"star:[3-8]",
                                                    "star:[5-7]",
                                                    "ring:[3-100]",
                                                    "ring:[100-2000]",
                                                    "linear:[2-300]",
                                                    "hypercube:[2-13]",
                                                    "hypercube:[8-12]",
                                                    "complete:[2-150]",
                                                    "circulant:[20-400],1,[2-9]",
                                                    "extended-ring:[10-300],[2-4]",
                                                    "hypercycle:[6-14],2x[5-12],1",
                                                    "torus:[3-12]x[3-12]",
                                                    "torus:[10-40]x[10-40]",
                                                    "torus:[3-10]x[3-10]x[3-10]",
                                                    "mesh:[2-40]x[2-40]",
                                                    "mesh:[3-8]x[3-8]x[3-8]",
                                                    "generalized-hypercube:[2-12]x[2-12]",
                                                    "ccc:[3-9]",
                                                    "butterfly:[3-8]",
                                                    "pancake:[4-7]",
                                                    "bubble-sort:[4-7]",
                                                    "ej:[1-4]+[4-6]",
                                                    "ej:[1-2]+[2-3]^2",
                                                    "ej:1+2^[2-4]",
                                                    "fat-tree:2^[3-10],constant",
                                                    "fat-tree:2^[3-9],exponential",
                                                    "fat-tree:4^[2-4],linear",
                                                    "kary-tree:[2-4]^[2-4]",
                                                    "xgft:3;3,2,2;1,2,1",
                                                    "xgft:2;[3-9],[2-8];1,1",
                                                    "petersen",
                                                    "odd-graph:[3-5]",
                                                    "dodecahedron",
                                                    "generalized-petersen:[7-200],2",
                                                    "random-regular:[1-40]0,[3-6],[1-9]",
                                                    "erdos-renyi:[30-200],400,[1-9]",
                                                    "product(star:4,ring:[3-9])",
                                                    "product(hypercube:3,mesh:[2-9]x[2-9])"};

constexpr std::array<std::size_t, 18> block_sizes{
    1, 4, 8, 8, 16, 24, 64, 64, 64, 100, 128, 256, 1000, 1024, 2048, 4096, 16384, 65536};

}  // namespace

RunDraws::RunDraws(std::uint64_t seed, std::vector<std::size_t> workers)
    : random_(seed), workers_(std::move(workers)) {}

// std::uniform_int_distribution draws other numbers with other libraries.
std::uint64_t RunDraws::draw(std::uint64_t least, std::uint64_t most) {
  return least + random_() % (most - least + 1);
}

std::string RunDraws::network() {
  const std::string_view family = families.at(draw(0, families.size() - 1));
  std::string name;
  for (std::size_t at = 0; at < family.size(); ++at) {
    if (family[at] != '[') {
      name += family[at];
      continue;
    }
    std::size_t least = 0;
    std::size_t most = 0;
    std::size_t* number = &least;
    for (++at; family[at] != ']'; ++at)
      if (family[at] == '-')
        number = &most;
      else
        *number = 10 * *number + static_cast<std::size_t>(family[at] - '0');
    name += fmt::format("{}", draw(least, most));
  }
  return name;
}

RunRequest RunDraws::next() {
  const std::vector<AlgorithmEntry>& all = algorithm_catalog();
  RunRequest request;
  for (bool found = false; !found;) {
    if (order_.empty()) {
      order_.resize(all.size());
      std::iota(order_.begin(), order_.end(), std::size_t{0});
      for (std::size_t i = order_.size(); i > 1; --i)
        std::swap(order_[i - 1], order_[draw(0, i - 1)]);
    }
    const auto& [algorithm, networks] = all.at(order_.back());
    order_.pop_back();
    // Files that only a user has.
    if (std::ranges::any_of(algorithm.parameters, &Parameter::required)) continue;
    constexpr int most_tries = 60;
    for (int i = 0; !found && i < most_tries; ++i) {
      request.topology = AnyTopology(network());
      request.operation = algorithm.operation;
      request.algorithm = std::string(algorithm.name);
      found = networks.admits(request.topology);
    }
  }
  request.block_bytes = block_sizes.at(draw(0, block_sizes.size() - 1));
  request.workers = draw(0, 3) == 0 ? workers_.at(draw(0, workers_.size() - 1)) : workers_.back();
  if (draw(0, 9) == 0) request.verify = VerifyKind::off;
  if (draw(0, 5) == 0) {
    const std::vector<ChannelKind> channels = channels_for(request);
    if (!channels.empty()) request.channel = channels.at(draw(0, channels.size() - 1));
  }
  return request;
}

RunRequest RunDraws::vary(const RunRequest& request, const PreparedRun& run) {
  const std::vector<Settings> variants = run.variants().all;
  RunRequest varied = request;
  if (!variants.empty()) varied.settings = variants.at(draw(0, variants.size() - 1));
  return varied;
}

}  // namespace lockstep::study
