#include "Mach2Output.h"

#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkTable.h>
#include <vtkUnstructuredGrid.h>

#include <format>

using namespace spanwise;

Mach2Output::Mach2Output(const RankGroup& group, vtkMultiProcessController* controller, std::string folder, Kinds kinds)
  : group_(group), folder_(group, controller, std::move(folder), kinds.vtk), hasMasks_(kinds.masks) {}

void Mach2Output::writeGeometry(FlowRun& run) {
  vtkNew<vtkUnstructuredGrid> grid;
  run.makeObstacle(group_, grid);
  folder_.writeIntervals(grid, "obstacle_geometry.icsr");
  run.makeFluid(group_, grid);
  folder_.writeIntervals(grid, "fluid_geometry.icsr");
}

void Mach2Output::writeStep(FlowRun& run) {
  vtkNew<vtkPartitionedDataSetCollection> levels;
  run.makeLevels(group_, levels);
  folder_.writeStep(levels, run.report().steps, run.time());
  const std::string name = ProgramFolder::nameOf(run.report().steps);
  for (int level = 1; hasMasks_ && level < run.numLevels(); ++level) {
    vtkNew<vtkUnstructuredGrid> grid;
    run.makeLevel(group_, level, false, grid);
    folder_.writeIntervals(grid, std::format("{}_fine_geometry_lvl{}.icsr", name, level));
    run.makeLevel(group_, level - 1, true, grid);
    folder_.writeIntervals(grid, std::format("{}_refine_mask_lvl{}.icsr", name, level));
  }
}

void Mach2Output::writeReport(const FlowRun& run) const {
  folder_.writeTable("report.csv", [&](vtkTable* table) { run.makeReport(table); });
}
