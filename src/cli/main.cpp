// SPDX-License-Identifier: Apache-2.0
#include "lockstep/cli/main.hpp"

int main(int argc, char** argv) { return lockstep::lockstep_main(argc, argv); }
