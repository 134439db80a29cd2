#include "Core/Multilevel/DomainSampling.hpp"

#include "Core/Multilevel/Detail/PointCells.hpp"
#include "Core/Multilevel/LevelTransfer.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Reserve.hpp"

namespace spanwise {

namespace {

using detail::checkPlaces;

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

template <class ExecutionSpace, int Dim>
using Points = Kokkos::View<const Position<Dim>*, typename ExecutionSpace::memory_space>;

template <class View>
View firstOf(const View& array, std::size_t count) {
  return Kokkos::subview(array, Kokkos::pair<std::size_t, std::size_t>(0, count));
}

/// Room for the levels, or cells, that are found for others.
template <class View>
View roomFor(View& array, std::size_t count) {
  reserve(array, static_cast<std::int64_t>(count), SPANWISE_LABEL("Multilevel::found"));
  return firstOf(array, count);
}

/// The values on the cells of the levels and around.
template <class ExecutionSpace, int Dim, class T>
void fillAround(const ExecutionSpace& space, DomainSampling<ExecutionSpace, Dim>& how,
  const MultilevelFieldOn<T, ExecutionSpace>& field, MultilevelFieldOn<T, ExecutionSpace>& around) {
  around.setNumComponents(field.numComponents());
  for (int l = 0; l < how.numLevels; ++l) {
    const auto index = static_cast<std::size_t>(l);
    how.halos[index].fillAfter(space, around.level(l), field.numComponents(),
      [&] { detail::remapLevel<ExecutionSpace, T>(space, how.own[index], field, l, T{0}, around.level(l)); });
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void buildSampling(const ExecutionSpace& space, LevelDomain<ExecutionSpace, Dim>& domain,
  const MultilevelSetOn<Dim, ExecutionSpace>& levels, Sampling sampling, DomainSampling<ExecutionSpace, Dim>& out,
  WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::buildSampling");
  out.sampling = sampling;
  out.numLevels = domain.greatest(levels.numLevels());
  out.rootCut = domain.rootCut();
  out.periods = domain.periods();
  out.endsHere = domain.endsHere();
  if (out.endsHere || sampling == Sampling::Constant) {
    return;
  }
  out.around.setRootLattice(levels.lattice(0));
  out.around.setNumLevels(out.numLevels);
  for (int l = 0; l < out.numLevels; ++l) {
    const auto index = static_cast<std::size_t>(l);
    domain.surround(space, l, 1, levels.level(l), out.around.level(l), workspace);
    agree(domain.communicator(), [&] {
      commonCells<ExecutionSpace, Dim>(space, levels.level(l), out.around.level(l), out.own[index], workspace);
    });
    out.halos[index].build(space, domain, l, 1, out.around.level(l), workspace);
  }
}

template <class ExecutionSpace, int Dim, class T>
void samplePoints(const ExecutionSpace& space, DomainSampling<ExecutionSpace, Dim>& how,
  const MultilevelSetOn<Dim, ExecutionSpace>& levels, const MultilevelFieldOn<T, ExecutionSpace>& field,
  const Points<ExecutionSpace, Dim>& points, std::type_identity_t<T> outside, FieldOn<T, ExecutionSpace>& out,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& levelsOfPoints,
  SampledField<ExecutionSpace, T>& scratch, const MultilevelSetOn<Dim, ExecutionSpace>* leaves) {
  SPANWISE_REGION("Multilevel::samplePoints");
  if (how.endsHere) {
    samplePoints<ExecutionSpace, Dim, T>(
      space, levels, field, how.sampling, points, outside, out, levelsOfPoints, leaves);
    return;
  }
  const Communicator& communicator = how.travel.communicator();
  agree(communicator, [&] { checkPlaces(points, levelsOfPoints); });
  const bool slopes = how.sampling == Sampling::Linear;
  if (slopes) {
    fillAround<ExecutionSpace, Dim, T>(space, how, field, scratch.around);
  }
  how.travel.send(space, levels.lattice(0), how.rootCut, how.periods, points);
  const auto arrived = how.travel.arrived();
  const auto levelsFound = roomFor(how.levelsFound, arrived.extent(0));
  agree(communicator, [&] {
    samplePoints<ExecutionSpace, Dim, T>(space, slopes ? how.around : levels, slopes ? scratch.around : field,
      how.sampling, arrived, outside, scratch.found, levelsFound, leaves == nullptr && slopes ? &levels : leaves,
      how.periods);
    out.setName(field.name());
    out.resize(static_cast<std::int64_t>(points.extent(0)), field.numComponents());
  });
  how.travel.chooseAnswers(space, levelsFound, levelsOfPoints);
  for (int c = 0; c < field.numComponents(); ++c) {
    how.travel.template bringBack<T>(space, columnOf(scratch.found, c), outside, columnOf(out, c));
  }
}

template <class ExecutionSpace, int Dim>
void locatePoints(const ExecutionSpace& space, DomainSampling<ExecutionSpace, Dim>& how,
  const MultilevelSetOn<Dim, ExecutionSpace>& leaves, const Points<ExecutionSpace, Dim>& points,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& ranksOfPoints,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& cellsOfPoints,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& levelsOfPoints) {
  SPANWISE_REGION("Multilevel::locatePoints");
  const Communicator& communicator = how.travel.communicator();
  agree(communicator, [&] {
    checkPlaces(points, levelsOfPoints);
    checkPlaces(points, cellsOfPoints);
    checkPlaces(points, ranksOfPoints);
  });
  how.travel.send(space, leaves.lattice(0), how.rootCut, how.periods, points);
  const auto arrived = how.travel.arrived();
  const auto levelsFound = roomFor(how.levelsFound, arrived.extent(0));
  const auto cellsFound = roomFor(how.cellsFound, arrived.extent(0));
  agree(communicator,
    [&] { locatePoints<ExecutionSpace, Dim>(space, leaves, arrived, cellsFound, levelsFound, how.periods); });
  how.travel.chooseAnswers(space, levelsFound, levelsOfPoints);
  how.travel.template bringBack<std::int64_t>(space, cellsFound.data(), -1, cellsOfPoints.data());
  how.travel.ranksOfAnswers(space, ranksOfPoints);
}

#define SPANWISE_DOMAIN_SAMPLING_OF(T, Space, Dim)                                                                     \
  template void samplePoints<Space, Dim, T>(const Space&, DomainSampling<Space, Dim>&,                                 \
    const MultilevelSetOn<Dim, Space>&, const MultilevelFieldOn<T, Space>&, const Points<Space, Dim>&, T,              \
    FieldOn<T, Space>&, const Kokkos::View<std::int32_t*, Space::memory_space>&, SampledField<Space, T>&,              \
    const MultilevelSetOn<Dim, Space>*);
#define SPANWISE_DOMAIN_SAMPLING(Space, Dim)                                                                           \
  template void buildSampling<Space, Dim>(const Space&, LevelDomain<Space, Dim>&, const MultilevelSetOn<Dim, Space>&,  \
    Sampling, DomainSampling<Space, Dim>&, WorkspaceOn<Space>&);                                                       \
  SPANWISE_DOMAIN_SAMPLING_OF(float, Space, Dim)                                                                       \
  SPANWISE_DOMAIN_SAMPLING_OF(double, Space, Dim)                                                                      \
  template void locatePoints<Space, Dim>(const Space&, DomainSampling<Space, Dim>&,                                    \
    const MultilevelSetOn<Dim, Space>&, const Points<Space, Dim>&,                                                     \
    const Kokkos::View<std::int32_t*, Space::memory_space>&, const Kokkos::View<std::int64_t*, Space::memory_space>&,  \
    const Kokkos::View<std::int32_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_DOMAIN_SAMPLING)

} // namespace spanwise
