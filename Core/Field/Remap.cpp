#include "Core/Field/Remap.hpp"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Checks.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::field {

namespace {

using namespace detail;

enum class Target {
  SecondSet,
  SharedCells,
};

/// Moves the values of the shared cells first ... last - 1.
template <class T, Target target>
struct MoveValues {
  geometry::SegmentsView segments;
  const geometry::CellRun* runs;
  FieldView<const T> from;
  FieldView<T> to;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    if (from.isInColumns() && to.isInColumns()) { // runs are short: to look for the piece of each took a quarter longer
      segments.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
        for (int c = 0; c < from.numComponents; ++c) {
          move(from.values + (c * from.componentStride + runs[s].a), to.values + (c * to.componentStride + targetOf(s)),
            begin, end);
        }
      });
    } else {
      segments.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
        while (begin < end) {
          begin += onPiece(runs[s].a + begin, targetOf(s) + begin, end - begin);
        }
      });
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t targetOf(std::int64_t s) const {
    return target == Target::SecondSet ? runs[s].b : segments.offsets[s];
  }

  /// As many of so many cells as are in one piece in both fields.
  KOKKOS_FUNCTION std::int64_t onPiece(std::int64_t sourceCell, std::int64_t targetCell, std::int64_t count) const {
    const FieldPiece<const T> source = from.piece(sourceCell);
    const FieldPiece<T> values = to.piece(targetCell);
    count = Kokkos::min(count, Kokkos::min(source.end - sourceCell, values.end - targetCell));
    for (int c = 0; c < from.numComponents; ++c) {
      if (from.cellStride == 1 && to.cellStride == 1) {
        move(source.template component<true>(c), values.template component<true>(c), 0, count);
      } else {
        move(source.template component<false>(c), values.template component<false>(c), 0, count);
      }
    }
    return count;
  }

  template <class Source, class Values>
  KOKKOS_FORCEINLINE_FUNCTION static void move(
    const Source& source, const Values& values, std::int64_t begin, std::int64_t end) {
    SPANWISE_INDEPENDENT
    for (std::int64_t k = begin; k < end; ++k) {
      values[k] = source[k];
    }
  }
};

template <Target target, class Space, class T>
void moveValues(const Space& space, const geometry::CommonCells<typename Space::memory_space>& common,
  const FieldView<const T>& from, const FieldView<T>& to) {
  forCells(space, SPANWISE_KERNEL("move values"), common.numCells(),
    MoveValues<T, target>{common.segments(), common.runs().data(), from, to});
}

/// Makes `out` a field like `field`, which may be `out` itself, with so many cells in a layout, and calls write(values
/// of `field`).
template <class Space, class T, class Write>
void makeField(const Space& space, const FieldOn<T, Space>& field, std::int64_t numCells,
  const FieldLayoutOn<Space>& layout, FieldOn<T, Space>& out, const Write& write) {
  const FieldView<const T> from = field.view();
  FieldOn<T, Space> kept;
  if (&field == &out) {
    kept = field; // so that `out` gets memory of its own
  } else {
    out.setName(field.name());
  }
  out.resize(numCells, from.numComponents, layout);
  write(from);
  if (&field == &out) {
    space.fence(SPANWISE_LABEL("Field::makeField")); // `kept` holds the last reference
  }
}

} // namespace

template <class ExecutionSpace, class T>
void remap(const Context<ExecutionSpace>& context,
  const geometry::CommonCells<typename ExecutionSpace::memory_space>& common, const FieldOn<T, ExecutionSpace>& field,
  std::type_identity_t<T> otherwise, FieldOn<T, ExecutionSpace>& out, const FieldLayoutOn<ExecutionSpace>& layout) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Field::remap");
  checkCells(field, common.numCellsOfA(), "its set");
  makeField<ExecutionSpace, T>(space, field, common.numCellsOfB(), layout, out, [&](const FieldView<const T>& from) {
    if (common.numCells() < common.numCellsOfB()) {
      fill<ExecutionSpace, T>(context, out, otherwise);
    }
    moveValues<Target::SecondSet>(space, common, from, out.view());
  });
}

template <class ExecutionSpace, class T>
void copyCommon(const Context<ExecutionSpace>& context,
  const geometry::CommonCells<typename ExecutionSpace::memory_space>& common, const FieldOn<T, ExecutionSpace>& from,
  FieldOn<T, ExecutionSpace>& to) {
  SPANWISE_REGION("Field::copyCommon");
  checkCells(from, common.numCellsOfA(), "its set");
  checkCells(to, common.numCellsOfB(), "its set");
  checkComponents(to, from.numComponents());
  moveValues<Target::SecondSet>(context.space(), common, from.view(), to.view());
}

template <class ExecutionSpace, class T>
void extract(const Context<ExecutionSpace>& context,
  const geometry::CommonCells<typename ExecutionSpace::memory_space>& cells, const FieldOn<T, ExecutionSpace>& field,
  FieldOn<T, ExecutionSpace>& out, const FieldLayoutOn<ExecutionSpace>& layout) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Field::extract");
  checkCells(field, cells.numCellsOfA(), "its set");
  makeField<ExecutionSpace, T>(space, field, cells.numCells(), layout, out,
    [&](const FieldView<const T>& from) { moveValues<Target::SharedCells>(space, cells, from, out.view()); });
}

#define SPANWISE_REMAP_OF(T, Space)                                                                                    \
  template void remap<Space, T>(const Context<Space>&, const geometry::CommonCells<Space::memory_space>&,              \
    const FieldOn<T, Space>&, T, FieldOn<T, Space>&, const FieldLayoutOn<Space>&);                                     \
  template void copyCommon<Space, T>(const Context<Space>&, const geometry::CommonCells<Space::memory_space>&,         \
    const FieldOn<T, Space>&, FieldOn<T, Space>&);                                                                     \
  template void extract<Space, T>(const Context<Space>&, const geometry::CommonCells<Space::memory_space>&,            \
    const FieldOn<T, Space>&, FieldOn<T, Space>&, const FieldLayoutOn<Space>&);
#define SPANWISE_REMAP(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_REMAP_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_REMAP)

} // namespace spanwise::field
