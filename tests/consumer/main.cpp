// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <lockstep/core/ids.hpp>
#include <lockstep/core/version.hpp>

int main() {
  std::cout << "lockstep " << lockstep::version << '\n';
  return lockstep::index(lockstep::NodeId{0}) == 0 ? 0 : 1;
}
