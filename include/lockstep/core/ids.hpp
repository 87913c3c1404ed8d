// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Strong integers for the things that are counted: nodes, ports, steps. They do not convert into
/// each other; `index()` is the one way back to a plain number.
///
///     const NodeId u{5};
///     degrees[index(u)] = 3;

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lockstep {

/// A vertex of the topology, 0 <= id < node_count. 64 bits: networks outgrow 32.
enum class NodeId : std::uint64_t {};

/// Local number of an arc at its node, 0 <= port < degree. In a Cayley graph: the generator's
/// index.
enum class Port : std::uint32_t {};

/// Ports of a node, at most: machines keep a port in 17 bits.
inline constexpr std::size_t max_ports_of_a_node = (std::size_t{1} << 17U) - 1;

/// The number of a block within its collective; it identifies the source and the block (design,
/// section 5). If every processor has one block, or one for each other processor, origin i belongs
/// to processor i.
class Origin {
 public:
  constexpr Origin() = default;
  constexpr explicit Origin(std::uint64_t number) noexcept : number_(number) {}
  constexpr Origin(NodeId maker) noexcept  // NOLINT(google-explicit-constructor)
      : number_(static_cast<std::uint64_t>(maker)) {}

  friend constexpr auto operator<=>(Origin, Origin) = default;
  friend constexpr std::uint64_t index(Origin origin) noexcept { return origin.number_; }

 private:
  // Left open where it is not given, as a NodeId is: batches are arrays of them.
  std::uint64_t number_;
};

/// One synchronous communication step, counted from 0.
enum class Step : std::uint64_t {};

/// The plain number behind an id.
template <class Id>
requires std::is_enum_v<Id>
[[nodiscard]] constexpr auto index(Id id) noexcept {
  return static_cast<std::underlying_type_t<Id>>(id);
}

namespace detail {

[[noreturn, gnu::cold]] void refuse_number(const char* what, long long number);
[[noreturn, gnu::cold]] void refuse_number(const char* what, unsigned long long number);

/// Throws InvalidParameter where 32 bits do not hold the number; no constant expression then.
template <std::integral Integer>
[[nodiscard]] constexpr std::uint32_t in_32_bits(Integer number, const char* what) {
  const auto fitted = static_cast<std::uint32_t>(number);
  if constexpr (std::is_signed_v<Integer>) {
    if (static_cast<long long>(number) != static_cast<long long>(fitted)) [[unlikely]]
      refuse_number(what, static_cast<long long>(number));
  } else if constexpr (sizeof(Integer) > sizeof fitted) {
    if (number != fitted) [[unlikely]]
      refuse_number(what, static_cast<unsigned long long>(number));
  }
  return fitted;
}

}  // namespace detail

/// Port from any integer. Throws InvalidParameter for a negative one and from 2^32 on.
template <std::integral Integer>
[[nodiscard]] constexpr Port port(Integer number) {
  return static_cast<Port>(detail::in_32_bits(number, "port"));
}

/// A parameter that takes any integer for a slot of a region, or a number of slots. Throws
/// InvalidParameter for a negative one and from 2^32 on.
class SlotNumber {
 public:
  template <std::integral Integer>
  constexpr SlotNumber(Integer number)  // NOLINT(google-explicit-constructor)
      : number_(detail::in_32_bits(number, "slot")) {}
  constexpr operator std::uint32_t() const noexcept {  // NOLINT(google-explicit-constructor)
    return number_;
  }

 private:
  std::uint32_t number_;
};

}  // namespace lockstep
