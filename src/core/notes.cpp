// SPDX-License-Identifier: Apache-2.0
#include "core/notes.hpp"

#include <mutex>
#include <set>
#include <utility>

namespace lockstep {
namespace {

struct Notes {
  std::mutex mutex;
  NoteHandler handler;
  std::set<std::string> known;
};

Notes& notes() {
  static Notes all;
  return all;
}

}  // namespace

void set_note_handler(NoteHandler handler) {
  const std::lock_guard lock(notes().mutex);
  notes().handler = std::move(handler);
  notes().known.clear();
}

void note(const std::string& text) {
  const std::lock_guard lock(notes().mutex);
  if (notes().handler && notes().known.insert(text).second) notes().handler(text);
}

}  // namespace lockstep
