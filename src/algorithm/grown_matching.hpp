// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A matching of clients and providers that grows client by client. A client that is matched stays
/// so, though its provider may change: so clients taken by falling preference make the matching one
/// of greatest preference, and it is maximum once all have been tried.
///
///     GrownMatching matching(clients, providers);
///     matching.add(client, for_each_choice);   // for_each_choice(client, offer): for its choices,
///                                              // best first, offer(provider, port), until false
///     matching.provider_of(client);

#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"

namespace lockstep {

class GrownMatching {
 public:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  GrownMatching(std::size_t clients, std::size_t providers)
      : provider_of_(clients, nobody),
        port_of_(clients),
        client_of_(providers, nobody),
        visits_(providers) {}

  /// Nobody is matched.
  void clear() {
    for (const std::uint32_t client : clients_)
      client_of_[std::exchange(provider_of_[client], nobody)] = nobody;
    clients_.clear();
    ++given_up_;
  }

  /// Matches one more client, if any choice of providers allows it: a shortest augmenting path by
  /// breadth-first search. Providers that a search in vain has seen are in no later path either.
  bool add(std::uint32_t client, auto for_each_choice) {
    ++search_;
    seen_.clear();
    queue_.assign(1, client);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      std::uint32_t found = nobody;
      for_each_choice(queue_[i], [&](std::uint32_t provider, Port port) {
        Visit& visit = visits_[provider];
        if (visit.search == search_ || visit.search == given_up_) return true;
        visit = {search_, queue_[i], port};
        if (client_of_[provider] == nobody) {
          found = provider;
          return false;
        }
        seen_.push_back(provider);
        queue_.push_back(client_of_[provider]);
        return true;
      });
      if (found == nobody) continue;
      augment(found, client);
      clients_.push_back(client);
      return true;
    }
    for (const std::uint32_t provider : seen_) visits_[provider].search = given_up_;
    return false;
  }

  /// Those that are matched, in the order in which they were added.
  [[nodiscard]] const std::vector<std::uint32_t>& clients() const noexcept { return clients_; }
  /// `nobody` where it is not matched.
  [[nodiscard]] std::uint32_t provider_of(std::uint32_t client) const {
    return provider_of_[client];
  }
  [[nodiscard]] Port port_of(std::uint32_t client) const { return port_of_[client]; }

 private:
  /// How the search came to a provider: that client could have it, through that port.
  struct Visit {
    std::uint32_t search = 0;  ///< 0: never; given_up_: for no client in vain
    std::uint32_t client = 0;
    Port port{};
  };

  /// The provider takes the client it was found for, whose provider takes the one it was found for.
  void augment(std::uint32_t provider, std::uint32_t client) {
    while (true) {
      const Visit& visit = visits_[provider];
      const std::uint32_t freed = std::exchange(provider_of_[visit.client], provider);
      client_of_[provider] = visit.client;
      port_of_[visit.client] = visit.port;
      if (visit.client == client) return;
      provider = freed;
    }
  }

  std::vector<std::uint32_t> provider_of_;  // by client
  std::vector<Port> port_of_;               // by client
  std::vector<std::uint32_t> client_of_;    // by provider
  std::vector<Visit> visits_;               // by provider
  std::vector<std::uint32_t> clients_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint32_t> seen_;                   // providers, by the present search
  std::uint32_t search_ = 0;                          // goes on where a new matching begins
  std::uint32_t given_up_ = std::uint32_t{1} << 31U;  // of this matching: above all searches
};

}  // namespace lockstep
