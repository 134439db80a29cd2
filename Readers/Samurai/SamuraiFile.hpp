#pragma once

#include "Readers/Hdf5/Dataset.hpp"
#include "Readers/Hdf5/InputFile.hpp"
#include "Readers/Hdf5/Structure.hpp"
#include "Readers/IcsrTypes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace spanwise::samurai {

// What samurai::dump writes, of the versions 0.24 to 0.33 (https://github.com/hpc-maths/samurai,
// include/samurai/io/restart.hpp):
//
//   /n_process                            how many processes wrote
//   /mesh/dim, min_level, max_level       numbers
//   /mesh/origin_point, scaling_factor    the cell i of level l begins at origin_point + i scaling_factor / 2^l
//   /mesh/level/L/dim/D/intervals         of axis D: start, end, step, index
//   /mesh/level/L/dim/D/offsets           D > 0: the coordinate c of an interval has the intervals
//                                         [offsets[index + c], offsets[index + c + 1]) of axis D - 1
//   /fields/NAME/n_comp, data             values of all cells: by process, level, z, y, x; the components side by side
//   attribute "time" of the root          optional
//
// Arrays are groups: `data` has what all processes wrote, one after the other, and `partition` where each begins. What
// is empty on all processes is not there.

/// An array of all processes.
struct Partitioned {
  std::optional<hdf5::Dataset> data;    ///< none: empty
  std::vector<std::uint64_t> partition; ///< [processes + 1] ascending, from 0 to the array's length

  [[nodiscard]] std::uint64_t begin(std::size_t process) const { return data ? partition[process] : 0; }
  [[nodiscard]] std::uint64_t count(std::size_t process) const {
    return data ? partition[process + 1] - partition[process] : 0;
  }
  [[nodiscard]] std::uint64_t size() const { return data ? partition.back() : 0; }
};

/// A file, and what its header says. Reads no array of cells or values before it is asked to. All functions throw
/// FileError. Not for several threads.
class SamuraiFile {
public:
  explicit SamuraiFile(const std::string& path);

  /// Whether a file is one that samurai::dump wrote, as far as its names say. Never throws.
  static bool canRead(const std::string& path) noexcept;

  /// 2 or 3.
  [[nodiscard]] int dimension() const { return dimension_; }
  [[nodiscard]] int minLevel() const { return minLevel_; }
  [[nodiscard]] int maxLevel() const { return maxLevel_; }
  /// The corner of the cell 0; 0 along an axis that there is not.
  [[nodiscard]] const double (&origin() const)[3] { return origin_; }
  /// The size of a cell of level 0.
  [[nodiscard]] double rootSize() const { return rootSize_; }
  [[nodiscard]] std::size_t numProcesses() const { return numProcesses_; }
  [[nodiscard]] std::optional<double> time() const { return time_; }

  /// What the fields are. Their tuples are not counted.
  [[nodiscard]] const std::vector<IcsrArray>& fields() const { return fields_; }
  /// The values of a field, its components side by side.
  [[nodiscard]] Partitioned values(const IcsrArray& field) const;

  /// The intervals of an axis of a level.
  [[nodiscard]] Partitioned intervals(int level, int axis) const;
  /// Where the intervals of `axis` - 1 begin that belong to coordinates of `axis`, which is not 0.
  [[nodiscard]] Partitioned offsets(int level, int axis) const;

private:
  void readMesh(const hdf5::Object& root);
  void readFields(const hdf5::Object& root);
  [[nodiscard]] std::optional<hdf5::Object> find(
    const hdf5::Object& from, const std::string& fromName, const std::string& path) const;
  [[nodiscard]] std::vector<double> numbers(
    const hdf5::Object& group, const std::string& groupName, const std::string& name, std::size_t count) const;
  [[nodiscard]] std::int64_t integer(const hdf5::Object& group, const std::string& groupName, const std::string& name,
    std::int64_t least, std::int64_t most) const;
  [[nodiscard]] Partitioned partitioned(
    const hdf5::Object& from, const std::string& fromName, const std::string& path) const;

  hdf5::InputFile file_;
  hdf5::Structure structure_;
  int dimension_ = 0;
  int minLevel_ = 0;
  int maxLevel_ = 0;
  double origin_[3] = {0.0, 0.0, 0.0};
  double rootSize_ = 1.0;
  std::size_t numProcesses_ = 1;
  std::optional<double> time_;
  std::vector<IcsrArray> fields_;
  hdf5::Object levels_;
  std::unordered_map<std::string, hdf5::Object> fieldGroups_; ///< by name
};

/// Some values of an array of integers, none of them negative. `what` names the array. Throws FileError.
std::vector<std::int64_t> readCounts(
  const hdf5::Dataset& dataset, std::uint64_t first, std::uint64_t count, const std::string& what);

} // namespace spanwise::samurai
