#pragma once

#include "Core/Multilevel/Blocks.hpp"
#include "Core/Multilevel/Detail/BlockPieces.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Runtime/Label.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::multilevel {

namespace detail {

/// The means of the values of the cells of blocks. Sums and counts are by block, the components of each side by side.
template <int Dim, class ValueAt, class T>
struct MeansOfBlocks {
  geometry::SurfaceCells<Dim> cells;
  ValueAt valueAt;
  FieldView<T> means;
  double* sums;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(const BlockPieces<Dim>& pieces, const BlockSegment& segment) const {
    const int components = means.numComponents;
    for (std::int64_t k = segment.firstBlock * components; k < segment.endBlock * components; ++k) {
      sums[k] = 0.0;
      counts[k] = 0;
    }
    pieces.visit(segment, [&](std::int64_t block, std::int64_t, std::int64_t i, std::int64_t x, std::int64_t end) {
      const std::int64_t base = cells.cellBase(i);
      const auto add = [&](int c) {
        double sum = 0.0;
        std::int64_t numbers = 0;
        for (std::int64_t cell = base + x; cell < base + end; ++cell) {
          const auto v = static_cast<double>(valueAt(cell, c));
          const bool number = v == v;
          sum += number ? v : 0.0;
          numbers += number ? 1 : 0;
        }
        sums[block * components + c] += sum;
        counts[block * components + c] += numbers;
      };
      add(0);
      for (int c = 1; c < components; ++c) {
        add(c);
      }
    });
    for (std::int64_t block = segment.firstBlock; block < segment.endBlock; ++block) {
      for (int c = 0; c < components; ++c) {
        const std::int64_t k = block * components + c;
        means(block, c) = static_cast<T>(
          counts[k] > 0 ? sums[k] / static_cast<double>(counts[k]) : Kokkos::Experimental::quiet_NaN_v<double>);
      }
    }
  }
};

} // namespace detail

/// means(block, c) = the mean over the cells of each block of the component c of values, valueAt(cell, c) by the number
/// of a cell in the grid: a functor that kernels of the execution space can call. Values that are not numbers do not
/// count; a block without any other has not-a-number. O(values). The same bits for any number of threads. Waits on the
/// host.
template <class ExecutionSpace, int Dim, class ValueAt, class T>
void meansOverBlocks(const Context<ExecutionSpace>& context, const CellsInBlocks<Dim>& in, const ValueAt& valueAt,
  const FieldView<T>& means) {
  const std::int64_t count = in.blocks.numCells * means.numComponents;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  double* const sums = frame.template array<double>(count).data();
  std::int64_t* const counts = frame.template array<std::int64_t>(count).data();
  detail::forEachBlockSegment(context.space(), SPANWISE_LABEL("Multilevel::means of blocks"), in,
    detail::MeansOfBlocks<Dim, ValueAt, T>{in.cells, valueAt, means, sums, counts});
}

/// The same of the values of a field. T: float or double.
template <class ExecutionSpace, int Dim, class T>
void meansOfField(const Context<ExecutionSpace>& context, const CellsInBlocks<Dim>& in,
  const FieldView<const T>& values, const FieldView<T>& means);

} // namespace spanwise::multilevel
