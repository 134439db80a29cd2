#pragma once

#include "Core/Runtime/KeptFrame.hpp"
#include "Core/Runtime/ReplacedFile.hpp"

#include <cstdint>
#include <string>

namespace spanwise {

/// What a state file says of itself beside the frame.
struct StateLabel {
  std::string run;         ///< the run that the state belongs to: whatever tells it from others
  int part = 0;            ///< which of the files that make one state
  int numParts = 1;        ///< how many these are
  std::uint64_t state = 0; ///< the same in all files of one state, and in no others
};

/// Writes a frame and its label, with checksums of both, into a new file; commit() is the caller's. The file is for
/// machines with the byte order of this one. Throws FileError, which names the file and the reason. O(bytes).
void writeState(const ReplacedFile& file, const StateLabel& label, const KeptFrame& frame);

/// What a state file holds.
struct StoredState {
  StateLabel label;
  KeptFrame frame; ///< with the bytes that were written
};

/// Reads a file of a run. Throws FileError, which names the file and what is wrong: it cannot be read, is no state file
/// or of another version, is truncated, damaged anywhere, of another run, or another part than this one. No more memory
/// is taken than the file has bytes. O(bytes).
[[nodiscard]] StoredState readState(const std::string& path, const std::string& run, int part = 0, int numParts = 1);

} // namespace spanwise
