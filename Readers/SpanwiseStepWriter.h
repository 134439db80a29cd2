#ifndef SpanwiseStepWriter_h
#define SpanwiseStepWriter_h

// Datasets written to an .icsr file, step by step, by all ranks of a group. Not wrapped.

#include "IcsrWriter.hpp"
#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"
#include "SpanwiseRankGroup.h"

#include "Core/Runtime/Progress.hpp"
#include "Core/Runtime/ReplacedFile.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class vtkDataObject;
class vtkDataSet;

namespace spanwise {

/// Writes one file. Rank 0 makes it and says what is in it; then the ranks open it in turn and write their own rows, so
/// that the serial HDF5 will do. The file appears under its name when finish() was called.
///
/// The constructor and all functions are collective. What fails on one rank fails on all.
class StepWriter {
public:
  StepWriter(const RankGroup& group, const std::string& path, const IcsrStorage& storage);

  /// Writes a step: a dataset, or a hierarchy of levels (see readLevels()). Cells that follow no common cut, as ranks
  /// whose parts share rows, are moved first.
  void write(vtkDataObject* data, std::optional<double> time, const Progress& progress = {});

  /// Brings the file to the disk and gives it its name.
  void finish();

  /// What was left out, one sentence each. The same on all ranks with cells.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

private:
  void startStep(int dimension, int numLevels, std::optional<double> time);
  /// Writes the next level of the step. `data` is the dataset that the cells come from, if they come from one.
  template <int Dim>
  void writeLevel(int number, vtkDataSet* data, const RankCells<Dim>& input, const GridPlacement& placement,
    const Progress& progress);
  template <int Dim>
  void writePoints(int number, vtkDataSet* data, const geometry::HostIntervalSet<Dim>& set, const IcsrPosition& at,
    IcsrLevel level, const Progress& progress);
  void writeFieldData(vtkDataObject* data);
  void remark(const std::string& text);
  /// Remarks on arrays of cells or points that a file cannot hold, if there are any.
  void remarkLeftOut(const std::string& kind, const std::vector<std::string>& arrays);
  using Work = std::function<void(IcsrWriter&)>;
  /// Has rank 0 write what all ranks share.
  void onFirstRank(const Work& work);
  /// Has the ranks that take part write, one after the other. Nobody goes on if one failed.
  void inTurn(bool takesPart, const Work& work);
  /// Runs `work` on all ranks; errors of one are thrown on all. They name the file as the user does.
  void agree(const std::function<void()>& work) const;
  void withWriter(const Work& work);

  RankGroup group_;
  std::string path_;
  std::string temporary_;
  std::unique_ptr<ReplacedFile> file_; ///< on rank 0
  std::unique_ptr<IcsrWriter> writer_; ///< while the file is open: all the time where one process writes
  IcsrStorage storage_;
  int numSteps_ = 0;
  int dimension_ = 0;
  /// What the last step's input carried, by level: the same record has the same cells.
  std::vector<IntervalGridPointer<2>> last2_;
  std::vector<IntervalGridPointer<3>> last3_;
  std::vector<std::string> remarks_;
};

} // namespace spanwise

#endif
