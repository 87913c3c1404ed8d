// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The papers by their names, their parts by theirs.
///
///     EXPECT_EQ(part("star", "Table 1").size(), 12U);

#include <algorithm>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "papers/reproduction.hpp"

namespace lockstep::test {

inline const papers::Paper& paper(const std::string& name) {
  return *papers::papers_named(name).front();
}

inline papers::PaperRows part(const std::string& name, const std::string& part) {
  return papers::reproduction_of(paper(name), {part}).rows;
}

inline papers::PaperRows part(const std::string& name, const std::string& kind,
                              std::uint64_t number) {
  return part(name, kind + " " + std::to_string(number));
}

inline papers::PaperRows whole(const std::string& name) {
  return papers::reproduction_of(paper(name), {}).rows;
}

/// Throws InvalidParameter where it is not listed.
inline const papers::Erratum& erratum(const std::string& name, unsigned number) {
  for (const papers::Erratum& erratum : paper(name).data().errata())
    if (erratum.number == number) return erratum;
  throw InvalidParameter("erratum " + std::to_string(number) + ": not listed");
}

}  // namespace lockstep::test
