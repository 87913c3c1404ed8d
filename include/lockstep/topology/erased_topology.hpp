// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What every topology behind one type has in common, whatever else that type can do: its members
/// as virtual functions, a class that answers them for any formula topology, and one that asks
/// them. AnyCayley and AnyTopology add what is theirs.
///
///     class AnyGraphInterface : public TopologyInterface { virtual ... more() const = 0; };
///     class AnyGraph : public ErasedTopology<AnyGraphInterface> { ... };
///     template <Topology T>
///     class Model final : public TopologyBehind<T, AnyGraphInterface> { ... };

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class TopologyInterface {
 public:
  TopologyInterface() = default;
  TopologyInterface(const TopologyInterface&) = delete;
  TopologyInterface& operator=(const TopologyInterface&) = delete;
  virtual ~TopologyInterface() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::uint64_t node_count() const = 0;
  [[nodiscard]] virtual std::size_t max_degree() const = 0;
  [[nodiscard]] virtual std::size_t degree(NodeId u) const = 0;
  [[nodiscard]] virtual NodeId neighbor(NodeId u, Port p) const = 0;
  [[nodiscard]] virtual Port reverse_port(NodeId u, Port p) const = 0;
  [[nodiscard]] virtual NodeKind kind(NodeId u) const = 0;
  [[nodiscard]] virtual std::string label(NodeId u) const = 0;
};

/// Answers for a topology that it keeps.
template <Topology T, std::derived_from<TopologyInterface> Interface>
class TopologyBehind : public Interface {
 public:
  explicit TopologyBehind(T topology) : topology_(std::move(topology)) {}

  [[nodiscard]] std::string name() const override { return topology_.name(); }
  [[nodiscard]] std::uint64_t node_count() const override { return topology_.node_count(); }
  [[nodiscard]] std::size_t max_degree() const override { return topology_.max_degree(); }
  [[nodiscard]] std::size_t degree(NodeId u) const override { return topology_.degree(u); }
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const override {
    return topology_.neighbor(u, p);
  }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const override {
    return topology_.reverse_port(u, p);
  }
  [[nodiscard]] NodeKind kind(NodeId u) const override { return topology_.kind(u); }
  [[nodiscard]] std::string label(NodeId u) const override { return topology_.label(u); }

 protected:
  [[nodiscard]] const T& topology() const noexcept { return topology_; }

 private:
  T topology_;
};

/// Copies share what stands behind them.
template <std::derived_from<TopologyInterface> Interface>
class ErasedTopology {
 public:
  ErasedTopology() = default;  ///< none: only to be replaced
  explicit ErasedTopology(std::shared_ptr<const Interface> topology) : it_(std::move(topology)) {}

  /// Whether there is one.
  [[nodiscard]] explicit operator bool() const noexcept { return it_ != nullptr; }

  [[nodiscard]] std::string name() const { return it_->name(); }
  [[nodiscard]] std::uint64_t node_count() const { return it_->node_count(); }
  [[nodiscard]] std::size_t max_degree() const { return it_->max_degree(); }
  [[nodiscard]] std::size_t degree(NodeId u) const { return it_->degree(u); }
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const { return it_->neighbor(u, p); }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const { return it_->reverse_port(u, p); }
  [[nodiscard]] NodeKind kind(NodeId u) const { return it_->kind(u); }
  [[nodiscard]] std::string label(NodeId u) const { return it_->label(u); }

 protected:
  [[nodiscard]] const Interface& behind() const noexcept { return *it_; }

 private:
  std::shared_ptr<const Interface> it_;
};

}  // namespace lockstep
