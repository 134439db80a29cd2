// spanwise-lbm: flows of a liquid by the lattice Boltzmann method, from the command line.

#include "CellsOfFile.h"
#include "LbmDomain.h"
#include "LbmFlow.h"
#include "LbmOptions.h"
#include "LbmResults.h"
#include "ProgramFolder.h"
#include "ProgramRanks.h"
#include "ProgressBar.h"

#include "SpanwiseLatticeRun.h"
#include "SpanwiseRankGroup.h"
#include "SpanwiseWallSurface.h"

#include "Core/Parallel/Stepping.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPolyData.h>
#include <vtkTable.h>

#include <chrono>
#include <cstdio>
#include <format>
#include <memory>

using namespace spanwise;

namespace {

/// A run with what is written of it.
class LbmProgram {
public:
  LbmProgram(const RankGroup& group, vtkMultiProcessController* controller, const LbmOptions& asked,
    const LbmPlan& plan, double timeStep, LatticeRun& run)
    : group_(group), asked_(asked), plan_(plan), timeStep_(timeStep), run_(run),
      folder_(group, controller, asked.folder, asked.asVtk), files_{folder_.path("checkpoint"), run.name()} {
    if (!asked.restart.empty()) {
      parallel::restart(group.communicator(), run.stepper(), {asked.restart, run.name()});
      folder_.goOn(run.steps());
    } else if (plan.outputStride > 0) {
      writeStep();
    }
  }

  [[nodiscard]] const ProgramFolder& folder() const { return folder_; }
  [[nodiscard]] const std::string& checkpoint() const { return files_.path; }

  /// Steps until there are enough of them, the flow is steady, or somebody interrupts; whether nobody did.
  bool stepOn() {
    ProgressBar bar(asked_.quiet || group_.rank() != 0, "MLUPS");
    bool stops = false;
    while (!stops && !isDone()) {
      run_.step();
      if (plan_.outputStride > 0 && run_.steps() % plan_.outputStride == 0) {
        write();
      }
      bar.show(static_cast<double>(run_.steps()) / static_cast<double>(plan_.maxSteps), run_.cellUpdates(),
        std::format("step {}  time {:.4g}", run_.steps(), static_cast<double>(run_.steps()) * timeStep_));
      stops = isInterrupted(group_);
    }
    bar.finish();
    if (isDone() && (plan_.outputStride == 0 || run_.steps() % plan_.outputStride != 0)) {
      writeStep();
    }
    writeReport();
    return isDone();
  }

private:
  [[nodiscard]] bool isDone() const {
    return run_.steps() >= plan_.maxSteps || (plan_.tolerance > 0.0 && run_.change() <= plan_.tolerance);
  }
  void write() {
    writeStep();
    writeReport();
  }
  void writeStep() {
    vtkNew<vtkPartitionedDataSetCollection> levels;
    run_.makeLevels(group_, levels);
    folder_.writeStep(levels, run_.steps(), static_cast<double>(run_.steps()) * timeStep_);
  }
  /// And a checkpoint, to go on from if the next steps fail.
  void writeReport() {
    folder_.writeTable("report.csv", [&](vtkTable* table) { fillLbmReport(run_, plan_, table); });
    parallel::checkpoint(group_.communicator(), run_.stepper(), files_, run_.steps());
  }

  const RankGroup& group_;
  const LbmOptions& asked_;
  const LbmPlan& plan_;
  double timeStep_;
  LatticeRun& run_;
  ProgramFolder folder_;
  parallel::CheckpointFiles files_;
};

template <int Dim>
void runFlow(
  const RankGroup& group, vtkMultiProcessController* controller, const LbmOptions& asked, const LbmFile& file) {
  LbmFlow<Dim> flow = makeLbmFlow<Dim>(group, asked, file);
  const std::unique_ptr<LatticeRun> run = startLattice<Dim>(group, flow.setup);
  flow.plan.numCells = run->numCells();
  if (group.rank() == 0) {
    std::printf("%s\n", tellFlow<Dim>(asked, flow).c_str());
    std::fflush(stdout);
  }
  LbmProgram program(group, controller, asked, flow.plan, flow.setup.units.timeStep, *run);
  const auto begin = std::chrono::steady_clock::now();
  const bool isWhole = program.stepOn();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (asked.flow == LbmCase::Cavity) {
    writeCentreLines(*run, asked, flow.plan, Dim, program.folder());
  }
  const auto updates = static_cast<double>(run->cellUpdates());
  if (group.rank() == 0) {
    std::printf("%s after %lld steps at time %.6g: %.3g s, %.3g MLUPS\n", isWhole ? "done" : "interrupted",
      static_cast<long long>(run->steps()), static_cast<double>(run->steps()) * flow.setup.units.timeStep, seconds,
      seconds > 0.0 ? 1e-6 * updates / seconds : 0.0);
    std::printf("%s%s: %d steps written; go on with --restart %s\n", lbmSummary(asked, *run, flow.plan).c_str(),
      asked.folder.c_str(), program.folder().numSteps(), program.checkpoint().c_str());
  }
}

void runCase(const RankGroup& group, vtkMultiProcessController* controller, const LbmOptions& asked) {
  LbmFile file;
  int dimension = asked.flow == LbmCase::Cavity ? asked.dimension : (asked.flow == LbmCase::Cylinder ? 2 : 3);
  if (!asked.file.empty()) {
    FileCells as{asked.threshold[0], asked.threshold[1]};
    as.resolution = asked.finestPerCell() * sizeOf(asked, dimension);
    if (asked.flow == LbmCase::File && asked.cellSize) {
      as.cellSize = *asked.cellSize / asked.finestPerCell();
    }
    vtkSmartPointer<vtkPolyData> surface;
    file.cells = cellsOfFile(group, controller, asked.file, as, &surface);
    dimension = file.cells.dimension();
    if (isSurfaceFile(asked.file)) {
      file.surface = readSurface(group, surface);
    }
  }
  dimension == 2 ? runFlow<2>(group, controller, asked, file) : runFlow<3>(group, controller, asked, file);
}

} // namespace

int main(int argc, char** argv) {
  const ProgramRanks ranks(argc, argv);
  int exitCode = 0;
  const std::optional<LbmOptions> asked = parseLbmOptions(argc, argv, ranks.isFirst(), exitCode);
  return asked ? ranks.run("spanwise-lbm", [&](const RankGroup& group) { runCase(group, ranks.controller(), *asked); })
               : exitCode;
}
