// SPDX-License-Identifier: Apache-2.0
/// Which operand stands left, in every form of combine: the operation puts texts one behind the
/// other, so that a result says what it was made of, and in which order.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "lockstep/machine/machine.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/mesh.hpp"
#include "reference/reference_machine.hpp"

namespace lockstep::test {
namespace {

/// Blocks are short texts; a processor's own is its letter and the number of the origin: "a0".
class TextHost final : public Host {
 public:
  static constexpr std::size_t bytes = 12;
  std::set<std::string> accepted;

  void load(std::byte* block, NodeId node, Origin origin, NodeId) override {
    put(block, {static_cast<char>('a' + index(node)), static_cast<char>('0' + index(origin))});
  }
  void combine(std::byte* into, const std::byte* left, const std::byte* right,
               std::size_t block_bytes, std::uint32_t blocks) override {
    for (std::uint32_t i = 0; i < blocks; ++i)
      put(into + i * block_bytes, text(left + i * block_bytes) + text(right + i * block_bytes));
  }
  void accept(std::span<const Delivery> batch, DeliveryTally& tally) override {
    tally.delivered += batch.size();
    for (const Delivery& block : batch) accepted.insert(text(block.bytes));
  }

 private:
  [[nodiscard]] static std::string text(const std::byte* from) {
    const auto* const letters = reinterpret_cast<const char*>(from);
    return {letters, strnlen(letters, bytes)};
  }
  static void put(std::byte* into, const std::string& text) {
    std::memset(into, 0, bytes);
    std::memcpy(into, text.data(), std::min(text.size(), bytes));
  }
};

enum class Form : std::uint8_t { in_place, elsewhere, listed, own_only };

/// Node 0 sends "a0" and "a1", as they lie or the other way round; node 1 has "b0" and "b1".
template <bool with_labels>
struct Ordered {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr bool labelled = with_labels;
  Form form{};
  Operands order{};
  bool gathered = false;

  [[nodiscard]] static std::vector<std::uint32_t> regions() { return {4}; }
  [[nodiscard]] static std::uint64_t step_count() { return 1; }
  [[nodiscard]] static std::span<const std::uint32_t> gather_list(GatherList) {
    static constexpr std::uint32_t slots[] = {1, 0};
    return slots;
  }
  void operator()(auto& here) const {
    constexpr Region all{0};
    constexpr Blocks own{all, 0, 2};
    const bool sends = index(here.node()) == 0;
    if (here.step() == 0) {
      for (std::uint32_t slot = 0; slot < 2; ++slot)
        here.load(all, slot, Origin{slot}, here.node());
      if (sends && gathered) here.send(Port{0}, all, GatherList{0});
      if (sends && !gathered) here.send(Port{0}, own);
      return;
    }
    if (sends) return;
    const auto arrival = here.take(Port{0});
    static constexpr std::uint32_t backwards[] = {1, 0};
    const std::uint32_t first = form == Form::elsewhere || form == Form::own_only ? 2 : 0;
    if (form == Form::in_place) here.combine(arrival, own, order);
    if (form == Form::elsewhere) here.combine(arrival, own, Blocks{all, 2, 2}, order);
    if (form == Form::listed)
      here.combine(arrival, all, std::span<const std::uint32_t>(backwards), order);
    if (form == Form::own_only) {
      here.store(arrival, Blocks{all, 2, 2});
      const bool own_first = order == Operands::own_first;
      here.combine({all, own_first ? 0U : 2U, 2}, {all, own_first ? 2U : 0U, 2}, {all, 2, 2});
    }
    for (std::uint32_t i = 0; i < 2; ++i) here.deliver(all, first + i, Origin{i});
  }
};

template <bool with_labels>
void expect_order_is_kept() {
  const Network pair = build_network(LinearArray(2));
  for (const Form form : {Form::in_place, Form::elsewhere, Form::listed, Form::own_only})
    for (const Operands order : {Operands::own_first, Operands::arrived_first})
      for (const bool gathered : {false, true}) {
        SCOPED_TRACE(testing::Message() << "form " << static_cast<int>(form) << ", order "
                                        << static_cast<int>(order) << ", gathered " << gathered);
        const Ordered<with_labels> program{form, order, gathered};
        std::set<std::string> wanted;
        for (const char i : {'0', '1'}) {
          // Turned round by the list that is sent, and by the list it is stored by.
          const bool turned = gathered != (form == Form::listed);
          const std::string came{'a', turned ? static_cast<char>('0' + '1' - i) : i};
          const std::string own{'b', i};
          wanted.insert(order == Operands::own_first ? own + came : came + own);
        }
        TextHost host;
        Machine<Network, Ordered<with_labels>, SlotChannels> machine(
            pair, program, host, {.block_bytes = TextHost::bytes});
        EXPECT_TRUE(machine.run(*make_executor(ExecutorKind::serial, 1)).legal());
        EXPECT_EQ(host.accepted, wanted);

        TextHost other;
        const ErasedProgramOf<Ordered<with_labels>> erased(program);
        reference::ReferenceMachine reference(pair, erased, other,
                                              {.block_bytes = TextHost::bytes});
        EXPECT_TRUE(reference.run().legal());
        EXPECT_EQ(other.accepted, wanted);
      }
}

TEST(CombineOrder, IsThatOfTheCallInEveryForm) { expect_order_is_kept<false>(); }

TEST(CombineOrder, IsTheSameWithLabels) { expect_order_is_kept<true>(); }

}  // namespace
}  // namespace lockstep::test
