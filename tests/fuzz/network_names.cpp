// SPDX-License-Identifier: Apache-2.0
#include "fuzz/network_names.hpp"

#include <array>

namespace lockstep::test {
namespace {

using reference::Random;

/// Parses, refused or too large for any run here.
constexpr std::array odd_networks{"star:13",
                                  "star:1",
                                  "star",
                                  "star:5:5",
                                  "ring:2",
                                  "linear:0",
                                  "hypercube:40",
                                  "hypercube:41",
                                  "complete:65537",
                                  "torus:4",
                                  "torus:1x4",
                                  "torus:100000x100000",
                                  "mesh:",
                                  "ccc:2",
                                  "butterfly:33",
                                  "ej:0+1",
                                  "ej:4+3",
                                  "fat-tree:1^2",
                                  "fat-tree:2^2,0.1",
                                  "xgft:2;2,2",
                                  "kary-tree:2^0",
                                  "cayley:",
                                  "cayley:(1 2",
                                  "cayley:file:none",
                                  "product(ring:5)",
                                  "product()",
                                  "product(fat-tree:2^2,ring:3)",
                                  "strar:4",
                                  ""};

[[nodiscard]] std::string text(Random& random, std::uint64_t low, std::uint64_t high) {
  return std::to_string(random.number(low, high));
}

[[nodiscard]] std::string simple_network(Random& random) {
  constexpr std::array cayley{"cayley:(1 2);(1 2 3)", "cayley:(1 2)(3 4);(1 2 3 4 5)",
                              "cayley:(1 2 3 4 5 6)", "cayley:(1 2);(2 3);(3 4)"};
  constexpr std::array ej{"ej:1+2", "ej:2+2", "ej:2+3", "ej:3+4", "ej:0+3", "ej:1+2^2"};
  const auto side = [&random] { return text(random, 2, 5); };
  switch (random.number(0, 15)) {
    case 0:
      return "star:" + text(random, 2, 5);
    case 1:
      return "ring:" + text(random, 3, 12);
    case 2:
      return "linear:" + text(random, 1, 9);
    case 3:
      return "hypercube:" + text(random, 0, 5);
    case 4:
      return "complete:" + text(random, 1, 9);
    case 5:
      return "circulant:" + text(random, 5, 14) + ",1," + text(random, 2, 4);
    case 6:
      return "extended-ring:" + text(random, 5, 14) + "," + text(random, 1, 3);
    case 7:
      return "torus:" + joined(random.number(1, 3), "x", side);
    case 8:
      return "torus:" + joined(2, "x", [&random] { return text(random, 3, 7); });
    case 9:
      return "mesh:" + joined(random.number(1, 3), "x", side);
    case 10:
      return "generalized-hypercube:" + joined(random.number(1, 3), "x", side);
    case 11:
      return "pancake:" + text(random, 2, 4);
    case 12:
      return "bubble-sort:" + text(random, 2, 4);
    case 13:
      return random.happens(50) ? "ccc:3" : "butterfly:3";
    case 14:
      return random.one_of(cayley);
    default:
      return random.one_of(ej);
  }
}

[[nodiscard]] std::string tree(Random& random) {
  const std::uint64_t levels = random.number(1, 3);
  const auto children = [&random] { return text(random, 2, 3); };
  if (random.happens(30)) return "kary-tree:2^" + text(random, 1, 3);
  if (random.happens(50))
    return "xgft:" + std::to_string(levels) + ";" + joined(levels, ",", children) + ";" +
           joined(levels, ",", [&random] { return text(random, 1, 3); });
  constexpr std::array capacities{"",        ",constant", ",exponential", ",half",
                                  ",linear", ",steep",    ",1.2.4"};
  const std::string size = random.happens(50) ? children() + "^" + std::to_string(levels)
                                              : joined(levels, "x", children);
  return "fat-tree:" + size + random.one_of(capacities);
}

}  // namespace

std::string network_name(Random& random) {
  if (random.happens(4)) return random.one_of(odd_networks);
  if (random.happens(15)) return tree(random);
  if (random.happens(5)) {
    constexpr std::array factors{"ring:3", "linear:3", "star:3", "complete:4", "ej:1+2"};
    return std::string("product(") + random.one_of(factors) + "," + random.one_of(factors) + ")";
  }
  return simple_network(random);
}

}  // namespace lockstep::test
