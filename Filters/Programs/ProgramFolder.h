#ifndef ProgramFolder_h
#define ProgramFolder_h

#include "SpanwiseRankGroup.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

class vtkDataObject;
class vtkMultiProcessController;
class vtkPartitionedDataSetCollection;
class vtkTable;

/// The folder that a program writes its files into: step_00050.icsr ... with levels of cells, and flow.icsr.series,
/// which lists them for ParaView; with VTK files step_00050.vtpc and flow.vtpc.series too; and tables (.csv).
class ProgramFolder {
public:
  /// Makes the folder. Throws Error where that fails.
  ProgramFolder(
    const spanwise::RankGroup& group, vtkMultiProcessController* controller, std::string folder, bool hasVtkFiles);

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  /// step_00050: files of a step, without their ends.
  [[nodiscard]] static std::string nameOf(std::int64_t step);
  [[nodiscard]] int numSteps() const { return static_cast<int>(steps_.size()); }

  /// Collective. Goes on with the series of an earlier run, up to a number of steps.
  void goOn(std::int64_t steps);

  // Collective. Throw Error where a file cannot be written.
  /// Cells, or levels of them.
  void writeIntervals(vtkDataObject* data, const std::string& name) const;
  /// The state at a step and time, and the series with it.
  void writeStep(vtkPartitionedDataSetCollection* levels, std::int64_t step, double time);
  /// The table that the first rank fills.
  void writeTable(const std::string& name, const std::function<void(vtkTable*)>& fill) const;

private:
  void writeSeries(const std::string& extension) const;

  const spanwise::RankGroup& group_;
  vtkMultiProcessController* controller_;
  std::string folder_;
  bool hasVtkFiles_;
  std::vector<std::pair<std::int64_t, double>> steps_; ///< their numbers and times
};

#endif
