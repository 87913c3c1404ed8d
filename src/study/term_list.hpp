// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What `lockstep list terms` says: the words of reports and help that a newcomer may not know.

#include "lockstep/report/table.hpp"

namespace lockstep::study {

/// term, meaning.
[[nodiscard]] Table term_list();

}  // namespace lockstep::study
