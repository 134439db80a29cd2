#pragma once

#include "IcsrWriter.hpp"

#include "Readers/Hdf5/GroupLinks.hpp"
#include "Readers/Hdf5/Output.hpp"
#include "Readers/Hdf5/Structure.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace spanwise {

namespace icsr {

/// Where a group of arrays is in a file that is written, if there is one, and where its arrays are by the names of
/// their links.
struct ArrayPlaces {
  std::uint64_t group = hdf5::undefinedAddress;
  std::unordered_map<std::string, std::uint64_t> arrays;
};

struct LevelPlaces {
  std::uint64_t group = hdf5::undefinedAddress;
  ArrayPlaces cells;
  ArrayPlaces points;
};

} // namespace icsr

/// An open file that is written, and where its groups and arrays are. Its functions do what those of IcsrWriter of the
/// same names say, and throw FileError without the file's name.
struct IcsrWriter::Impl {
  /// Opens a file that create() made.
  void open();
  /// Closes the file and gives names to what has none yet.
  void close();

  void addStep(std::optional<double> time);
  void addLevel(const IcsrLevel& level, std::optional<int> sameAs);
  void addPoints(int level, const IcsrLevel& description);
  template <int Dim>
  void writeCells(int level, const geometry::IntervalSetView<Dim>& set, const IcsrRows& rows, const IcsrPosition& at,
    const Progress& progress);
  void writeValues(int level, Association association, const IcsrArray& array, const IcsrTuples& tuples,
    const void* values, const Progress& progress);
  void writeRowPoints(int level, std::int64_t firstRow, const std::vector<std::int64_t>& points);
  void addField(const IcsrArray& array, const void* values);
  void addField(const IcsrArray& array, const std::vector<std::string>& texts);

  std::string path;
  hdf5::Storage storage;
  hdf5::WriteFailure failure; ///< outlives the file

private:
  void readPlaces();
  void checkTime(std::optional<double> time) const;
  [[nodiscard]] icsr::LevelPlaces& levelAt(int level);
  [[nodiscard]] hdf5::Handle openLevel(int level);
  void makeCells(hid_t group, const IcsrLevel& level) const;
  void shareCells(hid_t group, int level, int step) const;

  static void makeGroup(hid_t parent, Association association, icsr::ArrayPlaces& group);
  [[nodiscard]] hdf5::Handle makeArray(icsr::ArrayPlaces& group, const IcsrArray& array);
  void makeArrays(hid_t level, Association association, icsr::ArrayPlaces& group, const std::vector<IcsrArray>& arrays);
  [[nodiscard]] hdf5::Storage storageOf(const IcsrArray& array) const;

  hdf5::Handle file_;
  int dimension_ = 0;
  std::uint64_t root_ = hdf5::undefinedAddress;
  std::vector<std::uint64_t> steps_;
  std::optional<double> lastTime_; ///< of the last step, as what follows
  std::vector<icsr::LevelPlaces> levels_;
  icsr::ArrayPlaces fields_;
  std::map<std::uint64_t, std::vector<hdf5::NewLink>>
    newLinks_; ///< by the group that gets them, when the file is closed
};

} // namespace spanwise
