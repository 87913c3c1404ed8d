// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Control groups of Linux, which limit what a container may use of its host.

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Folders of the limits that hold for this process: those of its group and of the groups above
/// it, innermost first, in version 2 and in the hierarchy of `controller` ("cpu") in version 1.
/// Folders may be missing: in a container, the group's own folder is often mounted as the root.
/// `root` precedes all paths, for tests.
[[nodiscard]] std::vector<std::string> folders_of_control_groups(std::string_view controller,
                                                                 const std::string& root = "");

}  // namespace lockstep
