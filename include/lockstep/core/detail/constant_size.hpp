// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The sizes of blocks, in bytes, for each of which loops over many blocks are compiled separately:
/// a copy or a check of a size that the compiler knows takes a few instructions.

#include <cstddef>

namespace lockstep::detail {

/// Calls `work` with such a size as its template argument, and with 0 for any other size.
template <class Work>
[[gnu::always_inline]] inline decltype(auto) with_constant_size(std::size_t bytes,
                                                                const Work& work) {
  switch (bytes) {
    case 1:
      return work.template operator()<1>();
    case 2:
      return work.template operator()<2>();
    case 4:
      return work.template operator()<4>();
    case 8:
      return work.template operator()<8>();
    case 16:
      return work.template operator()<16>();
    case 24:
      return work.template operator()<24>();
    case 32:
      return work.template operator()<32>();
    case 48:
      return work.template operator()<48>();
    case 64:
      return work.template operator()<64>();
    default:
      return work.template operator()<0>();
  }
}

}  // namespace lockstep::detail
