#pragma once

namespace spanwise::field {

/// A part of a set that has a subset: what a kernel goes through. On intervals these are cells; of blocks, whole ones.
enum class SubsetGroup {
  All,
  Without, ///< what has no cell of the subset
  With,    ///< what has one
};

} // namespace spanwise::field
