// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Notes for the user about what was given: no errors, but worth a line.
///
///     note("net.txt: no node is named '2'; node number 2 is '10'");
///
/// A program that shows notes says how. Without a handler, notes are dropped. Safe from any thread.

#include <functional>
#include <string>

namespace lockstep {

using NoteHandler = std::function<void(const std::string&)>;

/// The handler gets every text once: a file may be read for each of several runs. Empty: none.
void set_note_handler(NoteHandler handler);

void note(const std::string& text);

}  // namespace lockstep
