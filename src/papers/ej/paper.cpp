// SPDX-License-Identifier: Apache-2.0

/// Z. Hussain, "An improved one-to-all broadcasting in higher dimensional Eisenstein-Jacobi
/// networks", 2018: ej.json has what it prints. Ours are closed forms (papers/ej/costs.hpp); the
/// machine's counts agree with them. Steps count from 1.

#include <fmt/format.h>

#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "papers/ej/ej.hpp"

namespace lockstep::papers {

extern const std::string_view ej_json;

namespace ej {
namespace {

using ej_costs::Broadcast;
using ej_costs::BroadcastStep;

std::optional<std::string> drawing(const AnyTopology& topology) {
  const auto* const network = topology.as<EisensteinJacobiNetwork>();
  return network == nullptr ? std::nullopt : std::optional(svg_of(*network));
}

}  // namespace

std::string Network::name() const {
  return n == 1 ? fmt::format("ej:{}+{}", a, b) : fmt::format("ej:{}+{}^{}", a, b, n);
}

ej_costs::OneDimension Network::one() const {
  return ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi(a, b)));
}

std::vector<BroadcastStep> Network::steps(Broadcast algorithm) const {
  return ej_costs::broadcast_steps(one(), n, algorithm);
}

std::uint64_t Network::senders(Broadcast algorithm) const {
  return ej_costs::broadcast_senders(one(), n, algorithm);
}

}  // namespace ej

extern const Paper ej_paper;
const Paper ej_paper{.name = "ej",
                     .data = []() -> const PaperData& {
                       static const PaperData data(ej_json, ej::functions());
                       return data;
                     },
                     .runs = ej::runs,
                     .drawing = ej::drawing};

}  // namespace lockstep::papers
