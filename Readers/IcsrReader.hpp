#ifndef IcsrReader_hpp
#define IcsrReader_hpp

#include "FileState.hpp"
#include "IcsrPoints.hpp"
#include "IcsrTypes.hpp"
#include "spanwiseReadersModule.h"

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Progress.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spanwise {

/// The cells of some rows of a level, and where they stand in the file.
template <int Dim>
struct IcsrPart {
  geometry::HostIntervalSet<Dim> set;
  std::int64_t firstInterval = 0; ///< the file's number of the part's first interval
  std::int64_t firstCell = 0;     ///< and of its first cell: its values in every cell array begin there
};

/// Reads .icsr files.
///
/// Everything in a file is checked before it is used: positions and sizes against the file's own size, types, extents,
/// every rule of the set, every checksum. No memory is taken that the file's stored bytes do not justify. All functions
/// throw FileError with the file's name, the value that is wrong and the rule, and Cancelled.
///
/// Steps and levels are counted from 0. One object may not be used by several threads at once.
class SPANWISEREADERS_EXPORT IcsrReader {
public:
  /// Opens a file: reads what describes it, and no array.
  explicit IcsrReader(const std::string& path);
  ~IcsrReader();
  IcsrReader(IcsrReader&&) noexcept;
  IcsrReader& operator=(IcsrReader&&) noexcept;

  /// Whether the file says that it is an .icsr file, of any version, damaged or not. Reads a few thousand bytes; never
  /// throws.
  static bool canRead(const std::string& path) noexcept;

  [[nodiscard]] const std::string& path() const;
  /// The file's state when it was opened.
  [[nodiscard]] const FileState& state() const;

  /// Gives the file's descriptor back and keeps what describes the file. What reads more throws until reopen().
  void close();
  /// Makes ready to read, whether the file is open or not: true if the path still leads to the file that was opened and
  /// it is unchanged. Otherwise the reader is of no use any more. Does not throw; O(1).
  [[nodiscard]] bool reopen();

  /// 2 or 3.
  [[nodiscard]] int dimension() const;
  [[nodiscard]] int numSteps() const;
  /// The time of each step, ascending; empty if the file's one step has no time.
  [[nodiscard]] const std::vector<double>& times() const;
  [[nodiscard]] const std::string& timeUnits() const;

  [[nodiscard]] int numLevels(int step) const;
  /// What a level holds.
  [[nodiscard]] IcsrLevel level(int step, int level) const;
  /// The field arrays of a step.
  [[nodiscard]] std::vector<IcsrArray> fieldArrays(int step) const;

  /// Whether a level of two steps is the very same in the file, so that what was made of the one serves the other.
  [[nodiscard]] bool hasSameCells(int step, int otherStep, int level) const;

  /// The rows of part `part` of `parts`: a contiguous range of the slowest axis (of rows in 2D, of planes of equal z in
  /// 3D), such that the parts have as equal numbers of cells as whole planes allow. The parts together are all rows,
  /// each once; parts may be empty. Reads O(log rows) chunks.
  [[nodiscard]] IcsrRows part(int step, int level, int part, int parts) const;
  /// The planes that belong to a part. All parts together own all planes, whether they have cells or not.
  [[nodiscard]] parallel::PlaneRange planes(int step, int level, int part, int parts) const;

  /// The planes of level 0 that belong to part `part` of `parts` of all levels of a step together: parts are cut along
  /// planes of level 0, such that the cells above such a plane are in one part and parts have as equal numbers of cells
  /// as that allows. All parts together own all planes. Reads O(levels * log rows * log planes) chunks.
  [[nodiscard]] parallel::PlaneRange rootPlanes(int step, int part, int parts) const;
  /// The rows of a level that lie in some of its planes. Reads O(log rows) chunks.
  [[nodiscard]] IcsrRows rowsIn(int step, int level, const parallel::PlaneRange& planes) const;

  /// The cells of some rows. Dim must be dimension(). Throws if the arrays break a rule of the set; that the rows
  /// before and after follow the rules too is for those who read them, but the border between the two is checked here.
  template <int Dim>
  [[nodiscard]] IcsrPart<Dim> cells(int step, int level, const IcsrRows& rows, const Progress& progress = {}) const;

  /// Reads tuples of a cell array. `array` is one of level()'s; `to` has room for them.
  void cellValues(int step, int level, const IcsrArray& array, const IcsrTuples& tuples, void* to,
    const Progress& progress = {}) const;

  /// Where the nodes of `part`, the cells of `rows`, stand. Reads the planes beside the rows.
  template <int Dim>
  [[nodiscard]] IcsrPointNumbers pointNumbers(
    int step, int level, const IcsrRows& rows, const IcsrPart<Dim>& part) const;

  /// The values of a point array at the nodes of a part, in the order of its nodes. `numbers` are pointNumbers()'.
  void pointValues(int step, int level, const IcsrArray& array, const IcsrPointNumbers& numbers, void* to,
    const Progress& progress = {}) const;

  /// The values of a field array of numbers.
  void fieldValues(int step, const IcsrArray& array, void* to) const;
  /// The values of a field array of texts.
  [[nodiscard]] std::vector<std::string> fieldTexts(int step, const IcsrArray& array) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace spanwise

#endif
