#pragma once

#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/KeptFrame.hpp"

#include <string>

namespace spanwise::parallel {

/// The file of a rank: one process has `path` itself, rank r of several `path`.r, from 0 on.
[[nodiscard]] std::string checkpointPath(const Communicator& communicator, const std::string& path);

/// Collective. Writes what is needed to go on with a run later: each rank its frame into its own file. `run` says which
/// run it is, in whatever words tell it from others, such as all settings; it is the same on all ranks. Files that are
/// there are replaced when those of all ranks are written, so a crash before leaves the old ones whole, and one while
/// they are replaced is found by readCheckpoint(). Throws on all ranks alike: a FileError (of several ranks, an Error)
/// that names the file and the reason. O(bytes).
void writeCheckpoint(
  const Communicator& communicator, const std::string& path, const std::string& run, const KeptFrame& frame);

/// Collective. Reads the frame of each rank, with the bits that were written, on as many ranks. Throws on all ranks
/// alike where a file cannot be read, is truncated or damaged, of another run, another number of ranks or another
/// checkpoint than the others: a FileError (of several ranks, an Error) that names the file and what is wrong.
/// O(bytes).
[[nodiscard]] KeptFrame readCheckpoint(
  const Communicator& communicator, const std::string& path, const std::string& run);

} // namespace spanwise::parallel
