#pragma once

#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Multilevel/MultilevelField.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace spanwise::multilevel {

/// Collective. The most even cut of the root's planes into `parts` for the cells of all levels together; sets[l] are
/// cells of level l. A cell of level l counts weights[l], or 1 if there are none. Counts planes one by one up to 2^20
/// of them, above that in groups. O(rows + planes). May throw on one rank alone only for lack of memory.
template <class ExecutionSpace, int Dim>
parallel::RowCut evenRootCut(const Context<ExecutionSpace>& context, int parts,
  const parallel::SetList<Dim, ExecutionSpace>& sets, std::span<const std::int64_t> weights = {});

/// How hierarchies move between two cuts of the root: all levels of a slab together, then the values on their cells,
/// any number of times. Keeps its buffers. Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
class LevelMove {
public:
  explicit LevelMove(const Communicator& communicator);

  /// Collective. The hierarchy comes to the ranks that own its planes by `rootCut`. Throws on all ranks alike.
  void moveLevels(const Context<ExecutionSpace>& context, const parallel::RowCut& rootCut,
    MultilevelSetOn<Dim, ExecutionSpace>& levels);

  /// Collective. The values of all levels follow.
  template <field::FieldValue T>
  void moveField(const ExecutionSpace& space, MultilevelFieldOn<T, ExecutionSpace>& field) {
    for (int l = 0; l < numLevels_; ++l) {
      auto& values = field.level(l);
      if (moves_[static_cast<std::size_t>(l)]->numCellsBefore() == 0) {
        values.resize(0, field.numComponents()); // whatever it was
      }
      moves_[static_cast<std::size_t>(l)]->moveField(space, values);
    }
  }

private:
  std::vector<std::unique_ptr<parallel::CellMove<ExecutionSpace, Dim>>> moves_;
  int numLevels_ = 0;
};

/// Collective. Brings a hierarchy to a cut in which no rank has more than `tolerated` times the mean weight, or as near
/// as whole planes of the root allow, and gives the domain that cut. Fields follow with move.moveField(). A covered
/// cell of level l weighs weights[l], or 1 if there are none: 2^l where finer levels take as many more steps. Cells
/// stay where they are if they are even already; returns whether they have moved. Throws on all ranks alike.
template <class ExecutionSpace, int Dim>
bool repartition(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  MultilevelSetOn<Dim, ExecutionSpace>& levels, LevelMove<ExecutionSpace, Dim>& move,
  std::span<const std::int64_t> weights = {}, double tolerated = parallel::toleratedImbalance);

} // namespace spanwise::multilevel
