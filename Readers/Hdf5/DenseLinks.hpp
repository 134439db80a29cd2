#pragma once

#include "Readers/Hdf5/Structure.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::hdf5 {

/// The links of a group, by the hash of their names, and the bytes that were read for them.
struct DenseLinks {
  std::vector<Link> links;
  std::uint64_t bytes = 0;
};

/// The links of a group that has more than its header keeps (8, unless the writer was told otherwise): in a fractal
/// heap (III.G), found by a B-tree of version 2 (III.A.2). Read are heaps of up to half a megabyte, which have no
/// blocks of indirect blocks. Throws FileError.
DenseLinks readDenseLinks(const Structure& structure, const DenseStorage& storage, const std::string& what);

} // namespace spanwise::hdf5
