#ifndef Mach2Output_h
#define Mach2Output_h

#include "ProgramFolder.h"

#include "SpanwiseFlowRun.h"
#include "SpanwiseRankGroup.h"

#include <cstdint>
#include <string>

class vtkMultiProcessController;

/// The files that spanwise-mach2 writes into its folder:
///
/// - obstacle_geometry.icsr and fluid_geometry.icsr, cells of the finest level;
/// - steps with the leaves of all levels with the state, and their series (ProgramFolder);
/// - with masks, step_00050_fine_geometry_lvl1.icsr ..., the cells of a level, and those of the level below that are
///   refined to it, step_00050_refine_mask_lvl1.icsr ...;
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
  void goOn(std::int64_t steps) { folder_.goOn(steps); }

  // Collective. Throw Error where a file cannot be written.
  void writeGeometry(spanwise::FlowRun& run);
  void writeStep(spanwise::FlowRun& run);
  void writeReport(const spanwise::FlowRun& run) const;

  [[nodiscard]] int numSteps() const { return folder_.numSteps(); }

private:
  const spanwise::RankGroup& group_;
  ProgramFolder folder_;
  bool hasMasks_;
};

#endif
