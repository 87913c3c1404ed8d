// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a run that the catalogue prepared must come to, fault included, by the reference machine:
/// for some hundred processors.
///
///     const auto run = prepare(request);
///     const FaultPrediction expected = predict(request, *run);
///     EXPECT_TRUE(run->execute().record.same_facts(expected.record));

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/send_event.hpp"
#include "reference/affected_pairs.hpp"

namespace lockstep::study {

using reference::FaultPrediction;

/// The sends are added to `trace` if there is one.
[[nodiscard]] FaultPrediction predict(const RunRequest& request, PreparedRun& run,
                                      SendTrace* trace = nullptr);

}  // namespace lockstep::study
