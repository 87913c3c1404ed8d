// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The header of a schedule by node: its lines, and whether they fit the network, the operation and
/// each other. tools/docs/schedule-format.md describes them.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/schedule_file.hpp"
#include "program/schedule_words.hpp"

namespace lockstep {

class ScheduleHeader : protected ScheduleWords {
 protected:
  ScheduleHeader(const std::string& file, const ErasedTopology& network,
                 std::optional<Operation> of_run);

  [[nodiscard]] static bool is_header_key(std::string_view key);
  /// The file's first line.
  void read_version(std::string_view line);
  void read_header(std::string_view key, std::string_view value);
  /// Fails if one of these lines is missing.
  void require(std::initializer_list<std::string_view> keys) const;
  [[nodiscard]] bool is_given(std::string_view key) const { return given_.contains(key); }
  /// Names the line of the key, which may be far above the current line.
  [[noreturn]] void fail_at(std::string_view key, const std::string& what);
  /// After the last line of the header. The schedule has its regions, and no turns.
  [[nodiscard]] Schedule checked_header();

  [[nodiscard]] bool has_version() const noexcept { return versioned_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_.value_or(max_schedule_steps); }
  [[nodiscard]] std::size_t region_count() const noexcept { return regions_->size(); }
  [[nodiscard]] bool is_control(Region region) const;
  /// Slots that a load writes and a delivery reads. The parts of a many-to-all are origins.
  [[nodiscard]] std::uint64_t slots_per_block() const noexcept {
    return result_.operation == Operation::many_to_all ? 1 : result_.parts_per_block;
  }
  [[nodiscard]] std::uint64_t origins() const noexcept {
    return result_.operation == Operation::many_to_all ? result_.homes.size()
                                                       : network_.processor_count();
  }
  [[nodiscard]] std::vector<Phase> take_phases() { return std::move(phases_); }

  ScheduleFile result_;

 private:
  using Sizes = std::vector<std::uint32_t>;

  void read_topology(std::string_view value);
  void read_operation(std::string_view value);
  void read_port_model(std::string_view value);
  void read_origins_line(std::string_view value);
  void read_control(std::string_view value);
  void read_sizes_of_node(std::string_view value);
  void read_phase(std::string_view value);
  [[nodiscard]] Sizes sizes(std::string_view value) const;
  void check_problem();
  void check_memory();
  void check_phases_of_file();

  std::optional<Operation> of_run_;
  bool versioned_ = false;
  std::map<std::string, std::size_t, std::less<>> given_;  // lines of the header's keys
  std::optional<Sizes> regions_;
  std::vector<std::pair<NodeId, Sizes>> sizes_;
  std::map<NodeId, std::size_t> sizes_lines_;
  std::vector<Region> control_;
  std::vector<Phase> phases_;
  std::vector<std::size_t> phase_lines_;
  std::optional<std::uint64_t> steps_;
};

}  // namespace lockstep
