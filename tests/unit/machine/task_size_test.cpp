// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/task_size.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace lockstep {
namespace {

using detail::TaskRequest;
using detail::workers_per_step;

TEST(TaskSizeTest, SmallNetworksAreOneTask) {
  EXPECT_EQ(workers_per_step({.nodes = 1, .workers = 4}), 1U);
  EXPECT_EQ(workers_per_step({.nodes = 511, .workers = 4}), 1U);
  EXPECT_EQ(workers_per_step({.nodes = 512, .workers = 4}), 4U);
  EXPECT_EQ(workers_per_step({.nodes = 520, .workers = 4}), 3U);  // whole words of 64 nodes
  EXPECT_EQ(workers_per_step({.nodes = 100, .workers = 4, .asked = 1}), 4U);
  EXPECT_EQ(workers_per_step({.nodes = 100, .workers = 4, .asked = 40}), 3U);
  EXPECT_EQ(workers_per_step({.nodes = 100, .workers = 4, .asked = 1, .sparse = true}), 2U);
  // The expected time of a step decides, where it is known.
  EXPECT_EQ(workers_per_step({.nodes = 5000, .workers = 4, .step = {9e-6}}), 1U);
  EXPECT_EQ(workers_per_step({.nodes = 5000, .workers = 4, .step = {1e-5}}), 4U);
  EXPECT_EQ(workers_per_step({.nodes = 511, .workers = 4, .step = {1e-5}}), 1U);
  EXPECT_EQ(workers_per_step({.nodes = 511, .workers = 4, .step = {2e-5}}), 4U);
  EXPECT_EQ(workers_per_step({.nodes = 511, .workers = 4, .sparse = true, .step = {2e-5}}), 1U);
  EXPECT_EQ(workers_per_step({.nodes = 511, .workers = 4, .sparse = true, .step = {1}}), 4U);
  EXPECT_EQ(workers_per_step({.nodes = 5000, .workers = 4, .receive_once = true, .step = {1e-6}}),
            1U);
  // So does what is saved of it, where that is known.
  EXPECT_EQ(workers_per_step({.nodes = 5000, .workers = 4, .step = {7e-6, 4}}), 1U);
  EXPECT_EQ(workers_per_step({.nodes = 5000, .workers = 4, .step = {8e-6, 4}}), 4U);
  EXPECT_EQ(workers_per_step({.nodes = 5000, .workers = 4, .step = {1e-3, 1.1}}), 1U);
  EXPECT_EQ(workers_per_step({.nodes = 511, .workers = 4, .sparse = true, .step = {2e-5, 2}}), 4U);
  EXPECT_EQ(workers_per_step({.nodes = 511, .workers = 4, .sparse = true, .step = {2e-5, 1.5}}),
            1U);
  EXPECT_EQ(workers_per_step({.nodes = 100, .workers = 4, .asked = 40, .step = {1e-9}}), 3U);
  EXPECT_EQ(workers_per_step({.nodes = 64, .workers = 4, .sparse = true, .step = {1}}), 1U);
  EXPECT_EQ(workers_per_step({.nodes = 511, .workers = 4, .receive_once = true}), 1U);
  EXPECT_EQ(workers_per_step({.nodes = 5000, .workers = 4, .receive_once = true}), 4U);
}

TEST(TaskSizeTest, TasksCoverAllNodesOnce) {
  for (const bool sparse : {false, true})
    for (const bool receive_once : {false, true})
      for (const std::uint64_t asked : {0U, 1U, 7U, 64U, 5'000U})
        for (const std::uint64_t nodes : {1U, 63U, 64U, 65U, 511U, 512U, 513U, 10'000U})
          for (const std::size_t workers : {1U, 2U, 3U, 1024U}) {
            const TaskRequest request{nodes, workers, asked, sparse, receive_once};
            const std::uint64_t each = detail::nodes_per_task(request);
            const std::uint64_t tasks = detail::task_count(request);
            EXPECT_GE(each * tasks, nodes);
            EXPECT_LT(each * (tasks - 1), nodes);
            EXPECT_TRUE(each % 64 == 0 || (asked != 0 && !sparse && !receive_once));
          }
}

}  // namespace
}  // namespace lockstep
