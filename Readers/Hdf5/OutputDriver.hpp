#pragma once

#include "Readers/Hdf5/Library.hpp"

#include <memory>
#include <string>

namespace spanwise::hdf5 {

// HDF5's way to a file that is written.
//
// Where a write fails, because the disk is full or gone, HDF5 2.2 as Debian builds it may end the process: a file that
// cannot be flushed trips an assertion when it is closed. So the library never gets to know. The first failure is kept
// for us, everything after it is dropped, and the file goes nowhere: it has a temporary name.

/// The first thing that went wrong with a file.
struct WriteFailure {
  int error = 0; ///< errno; 0: nothing
};

/// Has files that are opened with the property list `access` written by this driver, with failures kept in `failure`,
/// which must live as long as the file is open. Throws FileError.
void useOutputDriver(hid_t access, WriteFailure* failure);

} // namespace spanwise::hdf5
