#include "Core/Multilevel/FluxRegister.hpp"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Reserve.hpp"

namespace spanwise::multilevel {

namespace {

using namespace detail;

/// Finds the faces on other sides of a face's coarse cell. Runs of a side are in the order of the cells.
template <int Dim, class Run, class Link>
struct LinkFaces {
  geometry::SegmentsView faces;
  const Run* runs;
  Kokkos::Array<std::int64_t, 2 * Dim + 1> firstRun; ///< of each side
  Link* links;

  KOKKOS_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t face) const {
    Link link{-1, 0, true};
    for (int side = 2 * Dim - 1; side >= 0; --side) {
      const std::int64_t other = side == run.side ? -1 : faceOf(side, run.coarse.cell + k);
      if (other >= 0 && side > run.side) {
        link.next = other;
        link.nextSide = side;
      } else if (other >= 0) {
        link.isFirst = false;
      }
    }
    links[face] = link;
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t faceOf(int side, std::int64_t cell) const {
    const auto s = static_cast<std::size_t>(side);
    std::int64_t low = firstRun[s]; // the last run that begins at the cell or before it is low - 1
    std::int64_t high = firstRun[s + 1];
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (runs[middle].coarse.cell <= cell) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == firstRun[s]) {
      return -1;
    }
    const std::int64_t face = faces.offsets[low - 1] + (cell - runs[low - 1].coarse.cell);
    return face < faces.offsets[low] ? face : -1;
  }
};

template <int Dim, class T, class Link>
struct CorrectCells {
  FieldView<const T> sums;
  const Link* links;
  Kokkos::Array<T, Dim> scale; ///< 1 / size of a coarse cell
  FieldView<T> values;

  template <class Run>
  KOKKOS_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t first) const {
    if (!links[first].isFirst) {
      return;
    }
    for (int c = 0; c < sums.numComponents; ++c) {
      T& value = values(run.coarse.cell + k, c);
      T ofAxis{};
      int side = run.side;
      for (std::int64_t face = first; face >= 0;) {
        const Link link = links[face];
        ofAxis += side % 2 == 1 ? -sums(face, c) : sums(face, c);
        if (link.next < 0 || link.nextSide / 2 != side / 2) {
          value += scale[static_cast<std::size_t>(side / 2)] * ofAxis;
          ofAxis = T{};
        }
        face = link.next;
        side = link.nextSide;
      }
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim, class T>
void buildFluxRegister(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const std::type_identity_t<MultilevelSetOn<Dim, ExecutionSpace>>& levels,
  const GhostLevels<ExecutionSpace, Dim>& ghosts, int l, FluxRegister<ExecutionSpace, Dim, T>& out) {
  SPANWISE_REGION("Multilevel::buildFluxRegister");
  using Run = typename FluxRegister<ExecutionSpace, Dim, T>::Run;
  using Link = typename FluxRegister<ExecutionSpace, Dim, T>::Link;
  buildJumpFaces(context, domain, levels, ghosts, l, out);
  parallel::agree(domain.communicator(), [&] {
    const std::int64_t numFaces = out.firstFace[2 * Dim];
    reserve(out.links, numFaces, SPANWISE_LABEL("Multilevel::faceLinks"));
    out.sums.resize(numFaces, out.numComponents);
    Kokkos::Array<std::int64_t, 2 * Dim + 1> firstRun{};
    for (std::size_t s = 0; s < 2 * Dim; ++s) {
      firstRun[s + 1] = firstRun[s] + out.cellsOfSide[s].numIntervals();
    }
    forFaces(context.space(), SPANWISE_KERNEL("link faces"), out, 0, numFaces,
      LinkFaces<Dim, Run, Link>{out.faces.view(), out.runs.data(), firstRun, out.links.data()});
  });
  clear(context, out);
}

template <class ExecutionSpace, int Dim, class T>
void clear(const Context<ExecutionSpace>& context, FluxRegister<ExecutionSpace, Dim, T>& fluxes) {
  field::fill<ExecutionSpace, T>(context, fluxes.sums, T{});
}

template <class ExecutionSpace, int Dim, class T>
void correct(const Context<ExecutionSpace>& context, const FluxRegister<ExecutionSpace, Dim, T>& fluxes,
  const double (&dx)[Dim], field::Field<T, typename ExecutionSpace::memory_space>& coarse) {
  SPANWISE_REGION("Multilevel::correct");
  checkCells(coarse, fluxes.numCoarseCells, "the extended coarse level");
  checkComponents(coarse, fluxes.numComponents);
  using Link = typename FluxRegister<ExecutionSpace, Dim, T>::Link;
  Kokkos::Array<T, Dim> scale{};
  for (int d = 0; d < Dim; ++d) {
    scale[static_cast<std::size_t>(d)] = static_cast<T>(1.0 / dx[d]);
  }
  forFaces(context.space(), SPANWISE_KERNEL("correct cells"), fluxes, 0, fluxes.faces.numCells(),
    CorrectCells<Dim, T, Link>{fluxes.sums.view(), fluxes.links.data(), scale, coarse.view()});
}

#define SPANWISE_FLUX_REGISTER_OF(T, Space, Dim)                                                                       \
  template void buildFluxRegister<Space, Dim, T>(const Context<Space>&, LevelDomain<Space, Dim>&,                      \
    const MultilevelSetOn<Dim, Space>&, const GhostLevels<Space, Dim>&, int, FluxRegister<Space, Dim, T>&);            \
  template void clear<Space, Dim, T>(const Context<Space>&, FluxRegister<Space, Dim, T>&);                             \
  template void correct<Space, Dim, T>(                                                                                \
    const Context<Space>&, const FluxRegister<Space, Dim, T>&, const double (&)[Dim], field::FieldOn<T, Space>&);
#define SPANWISE_FLUX_REGISTER(Space, Dim)                                                                             \
  SPANWISE_FLUX_REGISTER_OF(float, Space, Dim) SPANWISE_FLUX_REGISTER_OF(double, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_FLUX_REGISTER)

} // namespace spanwise::multilevel
