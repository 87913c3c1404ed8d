// SPDX-License-Identifier: Apache-2.0
/// All-reduce on a hypercube by recursive doubling: in step t neighbours in dimension t exchange
/// what they have summed up so far. First the proof, by exact sums of made-up blocks; then with
/// bytes of one's own and an operation of one's own, in the order of the processors.
#include <cstring>
#include <iostream>
#include <lockstep/lockstep.hpp>
using namespace lockstep;

struct AllReduce {
  using Memory = NoMemory;
  static constexpr auto activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::uint64_t dimensions;

  std::uint64_t step_count() const { return dimensions; }
  std::vector<std::uint32_t> regions() const { return {2}; }  // what is sent stays until it is read

  void operator()(auto& here) const {
    const auto t = static_cast<std::uint32_t>(here.step());
    const Blocks sum{.region = Region{0}, .first = t % 2};
    if (t == 0) {
      here.load(sum.region, sum.first, here.node());
    } else {
      const bool lower = ((index(here.node()) >> (t - 1)) & 1U) == 0;
      here.combine(here.take(port(t - 1)), {Region{0}, 1 - sum.first, 1}, sum,
                   lower ? Operands::own_first : Operands::arrived_first);
    }
    if (here.last_call())
      here.deliver(sum.region, sum.first, here.node());
    else
      here.send(port(t), sum);
  }
};

int main() {
  constexpr std::uint64_t d = 6;
  RunOptions options{.block_bytes = 8, .name = "recursive doubling", .predicted = Cost{d, d}};
  const RunReport proof = run(Hypercube{d}, AllReduce{d}, {Operation::all_reduce}, options);
  std::cout << to_text(proof);

  std::vector<double> values;
  for (std::uint64_t u = 0; u < (1U << d); ++u) values.push_back(0.5 * static_cast<double>(u));
  options.input = std::as_bytes(std::span(values));
  options.combine = [](auto into, auto left, auto right) {
    double a = 0;
    double b = 0;
    std::memcpy(&a, left.data(), sizeof a);
    std::memcpy(&b, right.data(), sizeof b);
    a += b;
    std::memcpy(into.data(), &a, sizeof a);
  };
  const RunReport sums = run(Hypercube{d}, AllReduce{d}, {Operation::all_reduce}, options);
  double first = 0;
  std::memcpy(&first, sums.result.output.data(), sizeof first);
  std::cout << "sum " << first << '\n';
  return proof.result.ok() && sums.result.ok() && first == 1'008 ? 0 : 1;
}
