#ifndef IcsrWriter_hpp
#define IcsrWriter_hpp

#include "IcsrTypes.hpp"
#include "spanwiseReadersModule.h"

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Progress.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spanwise {

/// How the arrays of a file are stored.
struct IcsrStorage {
  int compressionLevel = 0;          ///< of deflate, 0 to 9; 0: not compressed
  std::int64_t chunkBytes = 1 << 19; ///< of a chunk before compression: 4 KiB to 16 MiB
};

/// Where some rows of a set stand in a file: the numbers of their first row, interval and cell.
struct IcsrPosition {
  std::int64_t row = 0;
  std::int64_t interval = 0;
  std::int64_t cell = 0;
};

/// Writes .icsr files: a file is made, steps are added to it, levels with all their sizes to a step, and then every
/// array is filled in any order and in as many pieces as wanted. One process does not need to do it all: one makes the
/// file and adds steps and levels, and each opens it in turn and writes its own rows. A file that is not complete is
/// not readable, so write under another name and rename (ReplacedFile).
///
/// All functions throw FileError with the file's name and the reason; then the file is not usable any more.
class SPANWISEREADERS_EXPORT IcsrWriter {
public:
  /// Makes an empty file of 2D or 3D cells in place of what is there. Times are in `timeUnits`, which may be empty.
  static void create(const std::string& path, int dimension, const std::string& timeUnits = "");

  /// Opens a file that create() made and nobody else has open.
  explicit IcsrWriter(const std::string& path, const IcsrStorage& storage = {});
  ~IcsrWriter();
  IcsrWriter(const IcsrWriter&) = delete;
  IcsrWriter& operator=(const IcsrWriter&) = delete;

  /// Closes the file, and throws if what was written did not all reach it.
  void close();

  /// Adds the next step. Without a time there may be one step only; times must ascend.
  void addStep(std::optional<double> time);

  /// Adds the next level to the last step and makes its cell arrays. With `sameAs`, a step whose level of the same
  /// number has the same cells, these are not stored again: there is nothing to write for writeCells() then.
  void addLevel(const IcsrLevel& level, std::optional<int> sameAs = std::nullopt);

  /// Makes the point arrays of the last step's level `level`: level.numPoints and level.pointArrays.
  void addPoints(int level, const IcsrLevel& description);

  /// Writes rows [rows.begin, rows.end) of `set` to the place `at` of the last step's level `level`.
  template <int Dim>
  void writeCells(int level, const geometry::IntervalSetView<Dim>& set, const IcsrRows& rows, const IcsrPosition& at,
    const Progress& progress = {});

  /// Writes tuples of an array of the last step. `array` need only have name, type and
  /// components.
  void writeValues(int level, Association association, const IcsrArray& array, const IcsrTuples& tuples,
    const void* values, const Progress& progress = {});

  /// Writes the numbers of the first points of rows [firstRow, firstRow + points.size()).
  void writeRowPoints(int level, std::int64_t firstRow, const std::vector<std::int64_t>& points);

  /// Adds a field array of numbers to the last step.
  void addField(const IcsrArray& array, const void* values);
  /// Adds a field array of texts to the last step; array.numTuples and array.textBytes are not looked at.
  void addField(const IcsrArray& array, const std::vector<std::string>& texts);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace spanwise

#endif
