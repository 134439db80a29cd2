#ifndef SpanwiseFlowRun_h
#define SpanwiseFlowRun_h

// A compressible flow of a group, in 2D or 3D. Not wrapped and not installed.

#include "SpanwiseRankGroup.h"
#include "spanwiseFlowModule.h"

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/Stepping.hpp"
#include "Core/Solvers/Flow/FlowOptions.hpp"
#include "Core/Solvers/Flow/FlowReport.hpp"

#include <array>
#include <memory>
#include <string>

class vtkPartitionedDataSetCollection;
class vtkTable;
class vtkUnstructuredGrid;

namespace spanwise {

/// What the report calls it.
inline constexpr const char* compressibleFlowInReport = "Compressible flow";

/// A flow that steps, and what it shows. Keeps the group that it was made with: ranks go on together.
class SPANWISEFLOW_EXPORT FlowRun {
public:
  virtual ~FlowRun() = default;

  /// Which run it is, for checkpoints.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual parallel::Stepper& stepper() = 0;
  /// Collective. The same run on the host, at its start; null if it is there.
  [[nodiscard]] virtual std::unique_ptr<FlowRun> onHost() const = 0;
  /// Collective. One step, but not beyond `end`.
  virtual void step(double end) = 0;
  [[nodiscard]] virtual double time() const = 0;
  [[nodiscard]] virtual const flow::FlowReport& report() const = 0;
  /// Collective. Makes `output` show the leaves that hold gas at the stepper's state, this rank's or its part of them.
  virtual void makeLevels(const RankGroup& group, vtkPartitionedDataSetCollection* output) = 0;
  // Collective. Make `output` this rank's cells of the finest level that are solid, or the others of the box.
  virtual void makeObstacle(const RankGroup& group, vtkUnstructuredGrid* output) = 0;
  virtual void makeFluid(const RankGroup& group, vtkUnstructuredGrid* output) = 0;
  /// Collective. Makes `output` all cells that a level has, also those that are refined; or those alone.
  virtual void makeLevel(const RankGroup& group, int level, bool refined, vtkUnstructuredGrid* output) = 0;
  [[nodiscard]] virtual int numLevels() const = 0;
  /// Fills a table with the history up to the stepper's state.
  virtual void makeReport(vtkTable* table) const = 0;
};

/// How a flow begins, beside its options.
template <int Dim>
struct FlowSetup {
  flow::FlowOptions<Dim> options{};
  geometry::HostIntervalSet<Dim> obstacle{}; ///< this rank's cells of the finest level
  flow::Primitive<double, Dim> start{};      ///< the gas everywhere
  double plane = 0.0;                        ///< z of a 2D flow
  std::array<double, 3> stream{};            ///< the direction of drag, of length 1
};

/// Collective. Throws on all ranks alike what CompressibleFlow throws.
template <int Dim>
SPANWISEFLOW_EXPORT std::unique_ptr<FlowRun> startFlow(const RankGroup& group, const FlowSetup<Dim>& setup);

} // namespace spanwise

#endif
