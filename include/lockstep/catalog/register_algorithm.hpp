// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Adds an algorithm of your own to the catalogue. Everything that reads the catalogue then knows
/// it: prepare(), algorithms_for() and, in a main function that calls lockstep_main()
/// (lockstep/cli/main.hpp), the commands run, sweep, compare and list.
///
///     int main(int argc, char** argv) {
///       lockstep::register_algorithm<MyBroadcast>("hypercube");
///       return lockstep::lockstep_main(argc, argv);  // my_program compare hypercube:6 broadcast
///     }
///
/// program/algorithm.hpp says what a class such as MyBroadcast has. Its machines are compiled in
/// the file that registers it.

#include <string_view>
#include <utility>
#include <variant>

#include "lockstep/catalog/detail/catalog_line.hpp"
#include "lockstep/catalog/detail/program_of.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program_check.hpp"

namespace lockstep {
namespace catalog {

void add_line(CatalogLine line);

/// Checks every program of a choice.
template <class P>
struct ProgramsCheck : ProgramCheck<P> {};
template <class... Programs>
struct ProgramsCheck<std::variant<Programs...>> : ProgramCheck<Programs>... {};

}  // namespace catalog

/// `topologies`: the networks, as `lockstep list algorithms` shall print them. `admits`: which
/// networks of A::TopologyType the algorithm accepts; null: A::admits, else all. Call it before
/// anything else uses the catalogue. Throws InvalidParameter if the catalogue is in use already, or
/// has an algorithm of this name for this operation.
template <class A>
void register_algorithm(std::string_view topologies,
                        bool (*admits)(const typename A::TopologyType&) = nullptr) {
  static_assert(sizeof(catalog::ProgramsCheck<decltype(std::declval<const A&>().program())>) != 0);
  static_assert(
      AlgorithmClass<A>,
      "algorithm: a class derived from Algorithm, as lockstep/program/algorithm.hpp says");
  if constexpr (AlgorithmClass<A>)
    catalog::add_line(catalog::line<A>(catalog::networks_of_type<typename A::TopologyType>(
        topologies, admits != nullptr ? admits : catalog::admits_in<A>())));
}

}  // namespace lockstep
