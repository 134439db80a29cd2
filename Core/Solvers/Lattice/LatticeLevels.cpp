#include "Core/Solvers/Lattice/Detail/LatticeLevels.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Cut.hpp"

#include <algorithm>
#include <cmath>

namespace spanwise::lattice::detail {

namespace {

using geometry::Coordinate;
using geometry::SetOperation;

template <int Dim>
geometry::Box<Dim> boxOfLevel(const geometry::Box<Dim>& root, int level) {
  geometry::Box<Dim> box = root;
  for (int d = 0; d < Dim; ++d) {
    box.begin[d] = static_cast<Coordinate>(root.begin[d] * (Coordinate{1} << level));
    box.end[d] = static_cast<Coordinate>(root.end[d] * (Coordinate{1} << level));
  }
  return box;
}

template <int Dim>
geometry::Periods<Dim> periodsOf(const LatticeOptions<Dim>& options) {
  geometry::Periods<Dim> periods;
  periods.box = options.box;
  std::copy(options.repeats, options.repeats + Dim, periods.along);
  return periods;
}

template <int Dim>
geometry::StructuringElement<Dim> boxOfRadius(Coordinate radius) {
  geometry::Cell<Dim> cell{};
  std::fill(cell.at, cell.at + Dim, radius);
  return geometry::StructuringElement<Dim>::box(cell);
}

} // namespace

template <int Dim>
LatticeOptions<Dim> optionsOfLevel(const LatticeOptions<Dim>& options, int level) {
  LatticeOptions<Dim> scaled = options;
  scaled.box = boxOfLevel(options.box, level);
  scaled.viscosity = std::ldexp(options.viscosity, level);
  for (double& force : scaled.force) {
    force = std::ldexp(force, -level);
  }
  return scaled;
}

template <class ExecutionSpace, int Dim>
LatticeLevels<ExecutionSpace, Dim>::LatticeLevels(
  const Context<ExecutionSpace>& context, const LatticeOptions<Dim>& options, const Set& solid)
  : options_(options),
    domain_(context,
      parallel::equalCut({options.box.begin[Dim - 1], options.box.end[Dim - 1]}, context.communicator().size()),
      periodsOf(options)),
    obstacle_(context.communicator()), move_(context.communicator()) {
  parallel::agree(domain_.communicator(), [&] {
    beside_ = boxOfRadius<Dim>(1);
    buffer_ = boxOfRadius<Dim>(static_cast<Coordinate>(options.refinement.buffer));
    const geometry::Box<Dim> own = geometry::inPlanes(options_.box, domain_.cut(0).part(domain_.communicator().rank()));
    makeBox<ExecutionSpace, Dim>(context, own, levels_.level(0));
  });
  obstacle_.build(context, domain_, options_.box, options_.refinement.numLevels, solid);
  Tags tags(static_cast<std::size_t>(options_.refinement.numLevels - 1));
  for (std::size_t l = 0; l < tags.size(); ++l) {
    tagAlways(context, static_cast<int>(l), tags[l]);
  }
  makeLevels<ExecutionSpace, Dim>(context, domain_, tags, multilevel::Grading::Vertex, levels_);
  keepBalance(context, nullptr);
  findCells(context);
}

/// The cells of a level that always have children: around obstacles and at walls.
template <class ExecutionSpace, int Dim>
void LatticeLevels<ExecutionSpace, Dim>::tagAlways(const Context<ExecutionSpace>& context, int level, Set& out) {
  out.clear();
  if (!obstacle_.empty()) {
    dilate(context, level, obstacle_.refined(level), buffer_, out);
  }
  if (options_.refinement.atWalls) {
    parallel::agree(domain_.communicator(), [&] {
      const parallel::PlaneRange planes = domain_.cut(level).part(domain_.communicator().rank());
      geometry::Box<Dim> box = boxOfLevel(options_.box, level);
      Set all;
      makeBox<ExecutionSpace, Dim>(context, geometry::inPlanes(box, planes), all);
      for (int side = 0; side < 2 * Dim; ++side) {
        const int axis = side / 2;
        if (!options_.repeats[axis] && options_.sides[static_cast<std::size_t>(side)].side == Side::Wall) {
          const auto depth = std::min<Coordinate>(options_.refinement.buffer, box.end[axis] - box.begin[axis]);
          (side % 2 == 0 ? box.begin : box.end)[axis] += side % 2 == 0 ? depth : -depth;
        }
      }
      Set inner;
      crop<ExecutionSpace, Dim>(context, all, box, inner);
      combine<ExecutionSpace, Dim>(context, SetOperation::Difference, all, inner, all);
      combine<ExecutionSpace, Dim>(context, SetOperation::Union, out, all, out);
    });
  }
}

/// This rank's cells of a level that the element reaches.
template <class ExecutionSpace, int Dim>
void LatticeLevels<ExecutionSpace, Dim>::dilate(const Context<ExecutionSpace>& context, int level, const Set& set,
  const geometry::StructuringElement<Dim>& element, Set& out) {
  Set grown;
  domain_.dilate(context, level, element, set, grown);
  parallel::agree(
    domain_.communicator(), [&] { crop<ExecutionSpace, Dim>(context, grown, boxOfLevel(options_.box, level), out); });
}

template <class ExecutionSpace, int Dim>
void LatticeLevels<ExecutionSpace, Dim>::adapt(
  const Context<ExecutionSpace>& context, const Tags& tags, Numbers& numbers) {
  const auto tag = [&](int l, Set& out) {
    tagAlways(context, l, out);
    if (static_cast<std::size_t>(l) < tags.size()) {
      Set grown;
      dilate(context, l, tags[static_cast<std::size_t>(l)], buffer_, grown);
      parallel::agree(
        domain_.communicator(), [&] { combine<ExecutionSpace, Dim>(context, SetOperation::Union, out, grown, out); });
    }
  };
  multilevel::AdaptOptions options{options_.refinement.numLevels, 0};
  options.prolongation = multilevel::Prolongation::Injection;
  std::vector<Numbers> fields{std::move(numbers)};
  adaptation_.adaptBy(context, domain_, tag, options, levels_, fields);
  numbers = std::move(fields.front());
  keepBalance(context, &numbers);
  findCells(context);
}

template <class ExecutionSpace, int Dim>
void LatticeLevels<ExecutionSpace, Dim>::use(
  const Context<ExecutionSpace>& context, const Levels& levels, const parallel::RowCut& cut) {
  if (!(cut == domain_.rootCut())) { // on all ranks
    domain_.setRootCut(cut);
    obstacle_.rebuild(context, domain_, options_.box);
  }
  levels_ = levels;
  findCells(context);
}

template <class ExecutionSpace, int Dim>
void LatticeLevels<ExecutionSpace, Dim>::keepBalance(const Context<ExecutionSpace>& context, Numbers* numbers) {
  if (domain_.communicator().alone()) {
    return;
  }
  std::int64_t steps[multilevel::maxNumLevels];
  for (int l = 0; l < multilevel::maxNumLevels; ++l) {
    steps[l] = std::int64_t{1} << l;
  }
  if (repartition(context, domain_, levels_, move_, steps)) {
    if (numbers != nullptr) {
      move_.moveField(context.space(), *numbers);
    }
    obstacle_.rebuild(context, domain_, options_.box);
  }
}

template <class ExecutionSpace, int Dim>
void LatticeLevels<ExecutionSpace, Dim>::findCells(const Context<ExecutionSpace>& context) {
  const auto combined = [&](SetOperation operation, const Set& a, const Set& b, Set& out) {
    combine<ExecutionSpace, Dim>(context, operation, a, b, out);
  };
  cells_[0].ghosts.clear();
  for (int l = 0; l < numLevels(); ++l) {
    const auto index = static_cast<std::size_t>(l);
    Cells& cells = cells_[index];
    Set refined;
    parallel::agree(domain_.communicator(), [&] {
      multilevel::refinedCells<ExecutionSpace, Dim>(context, levels_, l, refined);
      combined(SetOperation::Difference, levels_.level(l), refined, cells.leaves);
      if (!obstacle_.empty()) {
        combined(SetOperation::Difference, cells.leaves, obstacle_.solid(l), cells.leaves);
      }
    });
    Set near;
    dilate(context, l, refined, beside_, near);
    parallel::agree(domain_.communicator(), [&] {
      combined(SetOperation::Intersection, cells.leaves, near, cells.parents);
      if (l + 1 < numLevels()) {
        multilevel::refine<ExecutionSpace, Dim>(context, cells.parents, cells_[index + 1].ghosts);
      }
    });
    dilate(context, l, cells.parents, beside_, near);
    parallel::agree(domain_.communicator(), [&] {
      combined(SetOperation::Intersection, refined, near, covered_[index]);
      combined(SetOperation::Union, cells.leaves, covered_[index], cells.held);
      combined(SetOperation::Union, cells.held, cells.ghosts, cells.held);
    });
    cells.planes = domain_.cut(l).part(domain_.communicator().rank());
    cells.halo = nullptr;
    if (!domain_.communicator().alone()) {
      Set around;
      domain_.surround(context, l, 1, cells.held, around);
      cells.held = around;
      halos_[index].build(context, domain_, l, 1, cells.held);
      cells.halo = &halos_[index];
    }
  }
}

template LatticeOptions<2> optionsOfLevel<2>(const LatticeOptions<2>&, int);
template LatticeOptions<3> optionsOfLevel<3>(const LatticeOptions<3>&, int);
#define SPANWISE_LATTICE_LEVELS(Space, Dim) template class LatticeLevels<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LATTICE_LEVELS)

} // namespace spanwise::lattice::detail
