// SPDX-License-Identifier: Apache-2.0

/// Network files between Lockstep, NetworkX and igraph (support/network_tools.py).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/child_program.hpp"
#include "support/golden.hpp"

namespace lockstep {
namespace {

/// Each Python that has NetworkX: they may have different versions.
TEST(NetworkTools, ReadAndWriteTheSameNetworks) {
  const test::ChildProgram child;
  const std::filesystem::path script =
      std::filesystem::path(test::golden_folder()).parent_path() / "support" / "network_tools.py";
  std::size_t tried = 0;
  for (const std::string python : {"python3", "/usr/bin/python3"}) {
    if (std::system((python + " -c 'import networkx' 2>/dev/null").c_str()) != 0) continue;
    ++tried;
    const std::string said = (child.folder() / "said").string();
    const int status = std::system((python + " '" + script.string() + "' '" + test::program_path() +
                                    "' '" + child.folder().string() + "' > '" + said + "' 2>&1")
                                       .c_str());
    EXPECT_EQ(status, 0) << child.content("said");
    EXPECT_THAT(child.content("said"), testing::HasSubstr("files read"));
  }
  if (tried == 0) GTEST_SKIP() << "python3-networkx is not installed";
}

}  // namespace
}  // namespace lockstep
