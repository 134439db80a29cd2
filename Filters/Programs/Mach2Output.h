#ifndef Mach2Output_h
#define Mach2Output_h

#include "SpanwiseFlowRun.h"
#include "SpanwiseRankGroup.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

class vtkDataObject;
class vtkMultiProcessController;

/// The files that spanwise-mach2 writes into its folder:
///
/// - obstacle_geometry.icsr and fluid_geometry.icsr, cells of the finest level;
/// - step_00050.icsr ..., the leaves of all levels with the state, and flow.icsr.series, which lists them; with VTK
///   files step_00050.vtpc and flow.vtpc.series too;
/// - with masks, step_00050_fine_geometry_lvl1.icsr ..., the cells of a level, and step_00050_refine_mask_lvl1.icsr
/// ...,
///   those of the level below that are refined to it;
/// - report.csv, the history.
class Mach2Output {
public:
  struct Kinds {
    bool vtk;
    bool masks;
  };

  /// Makes the folder. Throws Error where that fails.
  Mach2Output(const spanwise::RankGroup& group, vtkMultiProcessController* controller, std::string folder, Kinds kinds);

  /// Collective. Goes on with the series of an earlier run, up to a number of steps.
  void goOn(std::int64_t steps);

  // Collective. Throw Error where a file cannot be written.
  void writeGeometry(spanwise::FlowRun& run);
  void writeStep(spanwise::FlowRun& run);
  void writeReport(const spanwise::FlowRun& run) const;

  [[nodiscard]] int numSteps() const { return static_cast<int>(steps_.size()); }

private:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void writeIntervals(vtkDataObject* data, const std::string& name) const;
  void writeSeries(const std::string& extension) const;

  const spanwise::RankGroup& group_;
  vtkMultiProcessController* controller_;
  std::string folder_;
  Kinds kinds_;
  std::vector<std::pair<std::string, double>> steps_; ///< names without extensions, and times
};

#endif
