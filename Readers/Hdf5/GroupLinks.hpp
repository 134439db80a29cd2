#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::hdf5 {

/// A name for an object of the file.
struct NewLink {
  std::string name; ///< UTF-8
  std::uint64_t address;
};

/// Links that a group is to get.
struct GroupLinks {
  std::uint64_t group; ///< the address of its header
  std::vector<NewLink> links;
};

/// Adds hard links to groups of a closed file, behind those that are there. The groups keep their links in their
/// headers and have their order of creation tracked; no name is there yet. Throws FileError.
///
/// HDF5's library could do this too, but looks through all links of such a group for each that it adds, and moves
/// headers that have grown: 4,000 links took minutes. Here the links of a group are appended to the file as a block
/// that continues its header, in a time that is linear in their number.
void addLinks(const std::string& path, const std::vector<GroupLinks>& groups);

} // namespace spanwise::hdf5
