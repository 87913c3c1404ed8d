// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/arrival.hpp"

#include <string>

#include "lockstep/core/detail/constant_size.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/machine/send_event.hpp"

namespace lockstep {

void OpenArrival::refuse_word(const char* what, std::uint32_t i, std::uint32_t blocks) {
  throw InvalidParameter("arrival." + std::string(what) + "(" + std::to_string(i) +
                         "): the message has " + std::to_string(blocks));
}

namespace detail {

void Replay::keep(Port through, Message sent, const std::byte* memory, const std::uint32_t* list,
                  std::size_t slot_bytes) {
  port = through;
  message = sent;
  bytes.clear();
  for (std::uint32_t i = 0; i < sent.blocks(); ++i) {
    const std::byte* const block = memory + (list == nullptr ? i : list[i]) * slot_bytes;
    bytes.insert(bytes.end(), block, block + slot_bytes);
  }
}

void copy_blocks(std::byte* to, const std::uint32_t* into, const std::byte* from,
                 const std::uint32_t* list, std::size_t count, std::size_t bytes) noexcept {
  with_constant_size(bytes, [&]<std::size_t constant>() {
    const auto copy = [&](auto place_of, auto source_of) {
      for (std::size_t i = 0; i < count; ++i)
        if constexpr (constant != 0)
          std::memcpy(to + place_of(i) * constant, from + source_of(i) * constant, constant);
        else
          copy_bytes(to + place_of(i) * bytes, from + source_of(i) * bytes, bytes);
    };
    const auto number = [](std::size_t i) { return i; };
    const auto placed = [&](auto place_of) {
      if (list == nullptr)
        copy(place_of, number);
      else
        copy(place_of, [list](std::size_t i) { return std::size_t{list[i]}; });
    };
    if (into == nullptr)
      placed(number);
    else
      placed([into](std::size_t i) { return std::size_t{into[i]}; });
  });
}

struct CorruptedBlocks::Copy {
  std::vector<std::byte> bytes;
  Copy* next;
};

std::byte* CorruptedBlocks::room(std::size_t bytes) {
  first_ = new Copy{std::vector<std::byte>(bytes), first_};
  return first_->bytes.data();
}

const std::byte* CorruptedBlocks::copy(const std::byte* block, std::size_t bytes,
                                       std::uint64_t altered) {
  first_ = new Copy{{block, block + bytes}, first_};
  if (bytes != 0) first_->bytes[altered] ^= std::byte{0x01};
  return first_->bytes.data();
}

void CorruptedBlocks::drop() noexcept {
  while (first_ != nullptr) {
    Copy* const next = first_->next;
    delete first_;
    first_ = next;
  }
}

void refuse_list(std::uint32_t list, std::size_t blocks) {
  throw InvalidParameter("send: list " + std::to_string(list) + " of " + std::to_string(blocks) +
                         " blocks; allowed: lists and lengths below 2^20 of regions below 64");
}

void refuse_changed_list(std::uint32_t list) {
  throw InvalidParameter("program: gather_list(" + std::to_string(list) +
                         ") has changed since the message was sent; hooks must be pure");
}

void refuse_counts(std::uint32_t blocks, std::uint32_t into) {
  throw InvalidParameter("combine, copy: " + std::to_string(blocks) + " blocks given; expected " +
                         std::to_string(into) + ", the number of results");
}

void refuse_moves() {
  throw InvalidParameter(
      "step_all: the moves of the processors differ; expected the same moves for all");
}

std::vector<LinkName>& add_event(SendTrace* trace, std::uint64_t step, NodeId sender, Port port,
                                 NodeId receiver, Port receiver_port, std::uint64_t blocks,
                                 std::uint64_t words) {
  return trace->emplace_back(SendEvent{step, sender, port, receiver, receiver_port, blocks, words})
      .further;
}
void add_link(std::vector<LinkName>& links, LinkName link) { links.push_back(link); }

}  // namespace detail

}  // namespace lockstep
