#include "Core/Solvers/Lattice/Detail/WallShear.hpp"
#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/ForEachCell.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <algorithm>

namespace spanwise::lattice::detail {

namespace {

/// Counts the lines of each cell, or writes them.
template <int Dim>
struct FindLines {
  geometry::IntervalSetView<Dim> held;
  geometry::Box<Dim> box;
  bool repeats[Dim];
  bool isWall[2 * Dim];
  const WallLink* links;
  std::int64_t numLinks;
  std::int64_t* firstLine; ///< of each cell; while they are counted, how many
  std::int64_t* wallCell;  ///< the number of the cell among those at walls; while they are counted, 1 or 0
  WallCell* walls;         ///< nullptr: they are counted
  WallLine* lines;

  KOKKOS_FUNCTION void operator()(std::int64_t number, const geometry::Cell<Dim>& cell) const {
    const std::int64_t first = firstLinkOf(number);
    const std::int64_t end = firstLinkOf(number + 1);
    if (walls == nullptr) {
      std::int64_t count = end - first;
      for (int side = 0; side < 2 * Dim; ++side) {
        count += isAt(cell, side) ? 1 : 0;
      }
      firstLine[number] = count;
      wallCell[number] = count > 0 ? 1 : 0;
    } else if (firstLine[number + 1] > firstLine[number]) {
      std::int64_t line = firstLine[number];
      walls[wallCell[number]] = {number, held.findCell(cell), line, firstLine[number + 1], {}};
      for (std::int64_t k = first; k < end; ++k) {
        const std::int8_t (&v)[3] = links[k].velocity;
        lines[line++] = {nextOf(cell, v), links[k].fraction, {v[0], v[1], v[2]}, -1};
      }
      for (int side = 0; side < 2 * Dim; ++side) {
        if (isAt(cell, side)) {
          std::int8_t inwards[3] = {};
          inwards[side / 2] = static_cast<std::int8_t>(side % 2 == 0 ? 1 : -1);
          lines[line++] = {
            nextOf(cell, inwards), 0.5F, {inwards[0], inwards[1], inwards[2]}, static_cast<std::int8_t>(side)};
        }
      }
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool isAt(const geometry::Cell<Dim>& cell, int side) const {
    const int axis = side / 2;
    return isWall[side] && cell.at[axis] == (side % 2 == 0 ? box.begin[axis] : box.end[axis] - 1);
  }

  /// The first link of a cell, or of one after it.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t firstLinkOf(std::int64_t cell) const {
    std::int64_t low = 0;
    std::int64_t high = numLinks;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (links[middle].cell < cell) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t nextOf(geometry::Cell<Dim> cell, const std::int8_t (&step)[3]) const {
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] += step[d];
    }
    const std::int64_t found = held.findCell(cell);
    if (found >= 0) { // ranks have what is beyond the end of a period
      return found;
    }
    for (int d = 0; d < Dim; ++d) {
      if (repeats[d] && cell.at[d] < box.begin[d]) {
        cell.at[d] = box.end[d] - 1;
      } else if (repeats[d] && cell.at[d] >= box.end[d]) {
        cell.at[d] = box.begin[d];
      }
    }
    return held.findCell(cell);
  }
};

template <int Dim>
struct FindShear {
  const WallCell* walls;
  const WallLine* lines;
  FieldView<const double> moments;
  double wallVelocity[2 * Dim][Dim];
  double viscosity;
  FieldView<double> shear;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const WallCell& wall = walls[k];
    double normal[Dim];
    if (!findNormal(wall, normal)) {
      return;
    }
    double slope[Dim] = {}; // along the normal
    double weights = 0.0;
    for (std::int64_t l = wall.firstLine; l < wall.endLine; ++l) {
      const WallLine& line = lines[l];
      const double length = Kokkos::sqrt(squareOf(line));
      const double cosine = dotWith(line, normal) / length;
      const double fraction = static_cast<double>(line.fraction);
      const double weight = line.next < 0 ? 0.01 : 1.0;
      weights += weight * cosine * cosine;
      for (int d = 0; d < Dim; ++d) {
        const double here = velocityAt(wall.place, line, d);
        const double first =
          line.next < 0 ? here / fraction : slopeAtWall(fraction, here, velocityAt(line.next, line, d));
        slope[d] += weight * cosine * first / length;
      }
    }
    double outwards = 0.0;
    for (int d = 0; d < Dim; ++d) {
      outwards += slope[d] * normal[d];
    }
    for (int d = 0; d < Dim; ++d) {
      shear(wall.cell, d) = viscosity * (slope[d] - outwards * normal[d]) / weights;
    }
  }

private:
  static KOKKOS_FUNCTION double squareOf(const WallLine& line) {
    double sum = 0.0;
    for (int d = 0; d < Dim; ++d) {
      sum += line.velocity[d] * line.velocity[d];
    }
    return sum;
  }
  static KOKKOS_FUNCTION double dotWith(const WallLine& line, const double (&vector)[Dim]) {
    double sum = 0.0;
    for (int d = 0; d < Dim; ++d) {
      sum += line.velocity[d] * vector[d];
    }
    return sum;
  }

  /// The slope of a parabola through 0 at the wall, `here` at a distance and `next` at 1 more. Where the wall is so
  /// near that an error of the velocity would be multiplied, more and more the difference of the two: what fits best
  /// with parabolas and shifts of the velocity as likely as `shift` says, which are those of cut links (generalised
  /// least squares).
  static KOKKOS_FUNCTION double slopeAtWall(double distance, double here, double next) {
    const double far = 1.0 + distance;
    const double near = Kokkos::max(0.0, 1.0 - 2.0 * distance);
    const double shift = 0.05 * near * near;
    const double ofHere = distance * far * far * far - shift;
    const double ofNext = shift - distance * distance * distance * far;
    return (ofHere * here + ofNext * next) / (ofHere * distance + ofNext * far);
  }

  /// Beyond that of the wall.
  [[nodiscard]] KOKKOS_FUNCTION double velocityAt(std::int64_t place, const WallLine& line, int d) const {
    return moments(place, d + 1) - (line.side < 0 ? 0.0 : wallVelocity[line.side][d]);
  }

  /// That which is known, or of the plane n . x = -1 with the cell in the origin that is nearest to where lines meet
  /// walls. Whether there is one: not between walls on both sides.
  [[nodiscard]] KOKKOS_FUNCTION bool findNormal(const WallCell& wall, double (&normal)[Dim]) const {
    bool isKnown = false;
    for (int d = 0; d < Dim; ++d) {
      normal[d] = static_cast<double>(wall.normal[d]);
      isKnown = isKnown || normal[d] != 0.0;
    }
    if (isKnown) {
      return true;
    }
    double matrix[Dim][Dim] = {};
    double right[Dim] = {};
    double trace = 0.0;
    for (std::int64_t l = wall.firstLine; l < wall.endLine; ++l) {
      const WallLine& line = lines[l];
      const double fraction = static_cast<double>(line.fraction);
      for (int a = 0; a < Dim; ++a) {
        right[a] += fraction * line.velocity[a];
        for (int b = 0; b < Dim; ++b) {
          matrix[a][b] += fraction * fraction * line.velocity[a] * line.velocity[b];
        }
        trace += fraction * fraction * line.velocity[a] * line.velocity[a];
      }
    }
    for (int d = 0; d < Dim; ++d) {
      matrix[d][d] += 1e-6 * trace; // where there are fewer lines than axes
    }
    for (int pivot = 0; pivot < Dim; ++pivot) { // positive definite
      for (int row = pivot + 1; row < Dim; ++row) {
        const double factor = matrix[row][pivot] / matrix[pivot][pivot];
        for (int d = pivot; d < Dim; ++d) {
          matrix[row][d] -= factor * matrix[pivot][d];
        }
        right[row] -= factor * right[pivot];
      }
    }
    double square = 0.0;
    for (int row = Dim - 1; row >= 0; --row) {
      double sum = right[row];
      for (int d = row + 1; d < Dim; ++d) {
        sum -= matrix[row][d] * normal[d];
      }
      normal[row] = sum / matrix[row][row];
      square += normal[row] * normal[row];
    }
    for (double& component : normal) {
      component /= Kokkos::sqrt(square);
    }
    return square > 0.01;
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void WallShear<ExecutionSpace, Dim>::build(const Context<ExecutionSpace>& context, const Set& held, const Set& cells,
  const LatticeOptions<Dim>& options, const Links& links) {
  const ExecutionSpace& space = context.space();
  typename Workspace<Memory>::Frame frame(context.workspace());
  numCells_ = cells.numCells();
  sides_ = options.sides;
  FindLines<Dim> find{held.view(), options.box, {}, {}, links.data(), static_cast<std::int64_t>(links.extent(0)),
    frame.template array<std::int64_t>(numCells_ + 1).data(), frame.template array<std::int64_t>(numCells_ + 1).data(),
    nullptr, nullptr};
  for (int side = 0; side < 2 * Dim; ++side) {
    const int axis = side / 2;
    find.repeats[axis] = options.repeats[axis];
    find.isWall[side] = !options.repeats[axis] && options.sides[static_cast<std::size_t>(side)].side == Side::Wall;
  }
  field::forEachCell(space, SPANWISE_KERNEL("count lines"), cells, find);
  const std::int64_t numLines = exclusiveScan(space, SPANWISE_KERNEL("scan lines"), find.firstLine, numCells_);
  const std::int64_t numWalls = exclusiveScan(space, SPANWISE_KERNEL("scan wall cells"), find.wallCell, numCells_);
  walls_ = Kokkos::View<WallCell*, Memory>("Spanwise::Lattice::wallCells", static_cast<std::size_t>(numWalls));
  lines_ = Kokkos::View<WallLine*, Memory>("Spanwise::Lattice::wallLines", static_cast<std::size_t>(numLines));
  find.walls = walls_.data();
  find.lines = lines_.data();
  if (numWalls > 0) {
    field::forEachCell(space, SPANWISE_KERNEL("fill lines"), cells, find);
  }
  space.fence(SPANWISE_LABEL("Lattice::WallShear"));
}

template <class ExecutionSpace, int Dim>
void WallShear<ExecutionSpace, Dim>::find(
  const Context<ExecutionSpace>& context, const Field& moments, double part, double viscosity, Field& shear) {
  shear.resize(numCells_, Dim);
  field::fill<ExecutionSpace, double>(context, shear, 0.0);
  FindShear<Dim> body{walls_.data(), lines_.data(), moments.view(), {}, viscosity, shear.view()};
  for (int side = 0; side < 2 * Dim; ++side) {
    const SideCondition<Dim>& is = sides_[static_cast<std::size_t>(side)];
    std::transform(is.velocity, is.velocity + Dim, body.wallVelocity[side], [&](double v) { return part * v; });
  }
  forEach(SPANWISE_KERNEL("wall shear"),
    IndexRange<ExecutionSpace>(context.space(), 0, static_cast<std::int64_t>(walls_.extent(0))), body);
}

#define SPANWISE_WALL_SHEAR(Space, Dim) template class WallShear<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_WALL_SHEAR)

} // namespace spanwise::lattice::detail
