#ifndef SpanwiseComponents_h
#define SpanwiseComponents_h

// Connected components of distributed sets. Not wrapped and not installed.

#include "SpanwiseRankCells.h"

#include "Core/Geometry/ComponentMeasures.hpp"
#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/Periods.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace spanwise {

/// The components that have cells on this rank. Those of all ranks are numbered from 0 in the order of their first
/// cells, as one rank would.
template <int Dim>
struct RankComponents {
  /// What there is on this rank of a component.
  struct Part {
    std::int64_t number = 0;           ///< of the component
    ComponentMeasures<Dim> measures{}; ///< of the whole component, on all ranks
    bool first = true;                 ///< it has the first cell of the component
  };

  /// [intervals] the part that each interval is in
  ComponentNumbers<HostExecutionSpace> labels;
  /// In the order of their first cells. Two of them may be parts of one component that meet on another rank.
  std::vector<Part> parts;
  /// How many components all ranks have.
  std::int64_t count = 0;
  /// Of the whole set. Not there for edges in 3D.
  std::optional<std::int64_t> eulerNumber;
};

enum class WithEulerNumber { No, Yes };

/// Collective. Finds the components of a set of which each rank has the planes that it owns. Each rank finds those of
/// its own cells; then only the planes beside cuts travel, and of the components that touch them the numbers and the
/// measures.
template <int Dim>
RankComponents<Dim> findComponents(const Team& team, Connectivity connectivity, const Periods<Dim>& periods,
  const PlaneRange& owned, const HostIntervalSet<Dim>& set, WithEulerNumber withEulerNumber);

/// Collective. The number of the component with the most cells, the first of them if there are several; -1 if there is
/// none.
template <int Dim>
std::int64_t largestOf(const Team& team, const RankComponents<Dim>& components);

/// Collective. The largest component of a set of which each rank has the planes that it owns; Core's
/// largestComponent().
template <int Dim>
HostIntervalSet<Dim> largestComponentOf(
  const Team& team, Connectivity connectivity, const PlaneRange& owned, const HostIntervalSet<Dim>& set);

/// Collective. The number of the component that a cell is in; -1 if no rank has the cell.
template <int Dim>
std::int64_t numberOfCell(
  const Team& team, const RankComponents<Dim>& components, const HostIntervalSet<Dim>& set, const Cell<Dim>& cell);

/// Collective. A set of which each rank has the planes that it owns, and its holes of at most so many cells; Core's
/// fillHoles().
template <int Dim>
HostIntervalSet<Dim> filled(const Team& team, Connectivity connectivity, std::int64_t largestHole,
  const Periods<Dim>& periods, const PlaneRange& owned, const HostIntervalSet<Dim>& set);

} // namespace spanwise

#endif
