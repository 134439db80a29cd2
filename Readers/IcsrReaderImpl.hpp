#pragma once

#include "IcsrReader.hpp"

#include "Readers/Hdf5/Dataset.hpp"
#include "Readers/Hdf5/InputFile.hpp"
#include "Readers/Hdf5/Structure.hpp"
#include "Readers/IcsrRowTable.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace spanwise {

/// A file and what describes it: format, steps, levels, arrays. Its functions throw FileError without the file's
/// name.
struct IcsrReader::Impl {
  /// The datasets of a level's cells, of the right types and of numbers that fit each other.
  struct Geometry {
    hdf5::Dataset rowKeys;
    hdf5::Dataset rowOffsets;
    hdf5::Dataset rowCells;
    hdf5::Dataset intervals;
    std::int64_t numCells;

    [[nodiscard]] std::int64_t numRows() const { return static_cast<std::int64_t>(rowKeys.rows()); }
    [[nodiscard]] std::int64_t numIntervals() const { return static_cast<std::int64_t>(intervals.rows()); }
  };

  /// The members of a group of arrays, in the order of the file.
  struct ArrayGroup {
    std::vector<std::string> names; ///< of arrays, not of links
    std::unordered_map<std::string, std::uint64_t> addresses;
  };

  explicit Impl(const std::string& name);

  [[nodiscard]] const hdf5::Object& step(int s) const;
  [[nodiscard]] hdf5::Object levelObject(int s, int l) const;
  [[nodiscard]] static std::string levelName(int s, int l);
  [[nodiscard]] Geometry geometry(const hdf5::Object& level, const std::string& levelName) const;
  [[nodiscard]] Geometry geometry(int s, int l) const { return geometry(levelObject(s, l), levelName(s, l)); }
  [[nodiscard]] icsr::RowTable rowTable(const Geometry& cells) const {
    return {cells.rowKeys, cells.rowCells, dimension};
  }
  /// What the file says of a level, which is read once for the levels of a step that are asked for one after the other.
  [[nodiscard]] const IcsrLevel& describeLevel(int s, int l) const;
  [[nodiscard]] IcsrPlacement placement(int s, int l) const;
  /// The arrays of a group that may be missing. Each must have `numTuples` tuples, unless that is negative.
  [[nodiscard]] std::vector<IcsrArray> describeArrays(
    const hdf5::Object& parent, Association association, std::int64_t numTuples, const std::string& parentName) const;

  /// Throws FileError unless there is a part `index` of `parts`.
  static void checkPart(int index, int parts);

  // What the public functions of the same names say.
  [[nodiscard]] IcsrRows part(int s, int l, int part, int parts) const;
  [[nodiscard]] parallel::PlaneRange planes(int s, int l, int part, int parts) const;
  [[nodiscard]] parallel::PlaneRange rootPlanes(int s, int part, int parts) const;
  [[nodiscard]] IcsrRows rowsIn(int s, int l, const parallel::PlaneRange& planes) const;
  template <int Dim>
  [[nodiscard]] IcsrPart<Dim> cells(int s, int l, const IcsrRows& rows, const Progress& progress) const;
  template <int Dim>
  [[nodiscard]] IcsrPointNumbers pointNumbers(int s, int l, const IcsrRows& rows, const IcsrPart<Dim>& part) const;

  /// The file's number of the first node of the first row's node row. Throws unless RowPoints agrees with `numbers` in
  /// all rows.
  [[nodiscard]] std::int64_t firstPoint(const hdf5::Object& level, const std::string& levelName,
    const IcsrPointNumbers& numbers, std::int64_t numPoints) const;

  /// The address of a member that must be there, by a hard link.
  [[nodiscard]] static std::uint64_t member(
    const hdf5::Object& group, const std::string& name, const std::string& what);
  /// The arrays of a group, which is read once, however many of its arrays are asked for. `what` names the group.
  [[nodiscard]] const ArrayGroup& arrayGroup(std::uint64_t address, const std::string& what) const;
  /// Throws FileError if two names in a step are links to one object: a few bytes would be read as often as there are
  /// names. Looks at a step once.
  void checkLinks(int s) const;
  /// A dataset that must be there.
  [[nodiscard]] hdf5::Dataset dataset(
    const hdf5::Object& group, const std::string& name, const std::string& what) const;
  /// The dataset of an array that was described.
  [[nodiscard]] hdf5::Dataset arrayDataset(
    const hdf5::Object& parent, Association association, const IcsrArray& array, const std::string& parentName) const;

  std::string path;
  hdf5::InputFile file;
  hdf5::Structure structure;
  int dimension = 0;
  std::string timeUnits;
  std::vector<double> times;
  std::vector<hdf5::Object> steps;
  std::vector<std::vector<std::uint64_t>> levels; ///< addresses, by step and level
  mutable hdf5::Budget textBudget;                ///< texts that all field arrays together may have

private:
  void checkFormat(const hdf5::Object& root);
  void addStep(std::uint64_t address);
  [[nodiscard]] IcsrLevel readLevel(int s, int l) const;

  mutable std::vector<bool> linksAreChecked_;               ///< by step
  mutable std::map<std::uint64_t, ArrayGroup> arrayGroups_; ///< those that were looked at last, by address
  mutable int describedStep_ = -1;
  mutable std::map<int, IcsrLevel> described_; ///< levels of that step
};

} // namespace spanwise
