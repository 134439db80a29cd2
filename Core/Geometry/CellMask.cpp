#include "Core/Geometry/CellMask.hpp"

#include "Core/Geometry/Detail/Masks.hpp"
#include "Core/Geometry/Detail/WordInstructions.hpp"
#include "Core/Geometry/Detail/WordLoops.hpp"
#include "Core/Geometry/GrowBox.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <algorithm>
#include <bit>

namespace spanwise::geometry {

namespace {

using Host = HostExecutionSpace;
using detail::cellsPerWord;
using detail::MaskImage;

template <int Dim>
IndexRange<Host> rowsOf(const Context<Host>& context, const MaskImage<Dim>& image) {
  return {context.space(), 0, image.box.numRows()};
}

template <int Dim>
std::int64_t wordsOf(const MaskImage<Dim>& image) {
  return image.box.numRows() * image.wordsPerRow;
}

/// What is in rows of a mask.
template <int Dim>
struct RowsOfMask {
  SetTotals totals;
  Box<Dim> bounds = boxOfNothing<Dim>();

  RowsOfMask& operator+=(const RowsOfMask& other) {
    totals += other.totals;
    grow(bounds, other.bounds);
    return *this;
  }

  void addRow(const MaskImage<Dim>& image, std::int64_t r) {
    const std::uint64_t* const words = image.words + r * image.wordsPerRow;
    const SetTotals row = detail::wordLoops().countCells(words, image.wordsPerRow);
    if (row.cells == 0) {
      return;
    }
    totals += row;
    std::int64_t first = 0;
    while (words[first] == 0) {
      ++first;
    }
    std::int64_t last = image.wordsPerRow - 1;
    while (words[last] == 0) {
      --last;
    }
    const std::int64_t origin = image.box.begin[0];
    const std::int64_t begin = origin + first * cellsPerWord + std::countr_zero(words[first]);
    const std::int64_t end = origin + (last + 1) * cellsPerWord - std::countl_zero(words[last]);
    grow(bounds, boxOfRow<Dim>(image.box.row(r), static_cast<Coordinate>(begin), static_cast<Coordinate>(end)));
  }
};

template <int Dim>
struct DrawRowOfSet {
  IntervalSetView<Dim> set;
  MaskImage<Dim> image;

  void operator()(std::int64_t r) const {
    const RowKey<Dim> key = image.box.row(r);
    std::uint64_t* const words = image.words + r * image.wordsPerRow;
    const std::int64_t found = set.findRow(key);
    if (found < 0) {
      std::fill_n(words, image.wordsPerRow, 0);
      return;
    }
    const IntervalRow row = set.row(found);
    const detail::WordInstructions* const instructions = detail::wordInstructions();
    const auto draw = instructions != nullptr ? instructions->wordsOfEndpoints : detail::wordsOfEndpoints;
    draw(reinterpret_cast<const Coordinate*>(set.intervals + set.rowOffsets[found]), row.size(), image.box.begin[0],
      words, image.wordsPerRow);
  }
};

/// Where a row of words lies in those of a mask of another box.
struct Overlap {
  const std::uint64_t* words;
  std::int64_t begin; ///< in the row
  std::int64_t end;   ///< as the begin: nowhere
};

template <int Dim>
Overlap overlapOf(const MaskImage<Dim>& mask, const MaskImage<Dim>& image, const RowKey<Dim>& key) {
  const auto isIn = [&](int d, Coordinate c) { return c >= mask.box.begin[d] && c < mask.box.end[d]; };
  if (!isIn(1, key.y) || (Dim == 3 && !isIn(Dim - 1, key.zOr0()))) {
    return {nullptr, 0, 0};
  }
  const std::int64_t shift = (std::int64_t{mask.box.begin[0]} - image.box.begin[0]) / cellsPerWord;
  const std::int64_t begin = std::max<std::int64_t>(shift, 0);
  const std::int64_t end = std::min(shift + mask.wordsPerRow, image.wordsPerRow);
  return begin < end ? Overlap{mask.words + mask.indexOf(key) * mask.wordsPerRow + begin - shift, begin, end}
                     : Overlap{nullptr, 0, 0};
}

template <int Dim>
struct CombineRows {
  SetOperation operation;
  const std::vector<const CellMask<Dim>*>& masks;
  MaskImage<Dim> image;
  decltype(detail::WordLoops::combine) combineWords = detail::wordLoops().combine;

  void operator()(std::int64_t r, RowsOfMask<Dim>& found) const {
    const RowKey<Dim> key = image.box.row(r);
    std::uint64_t* const words = image.words + r * image.wordsPerRow;
    for (std::size_t k = 0; k < masks.size(); ++k) {
      const Overlap from = overlapOf(masks[k]->image(), image, key);
      if (k == 0 || operation == SetOperation::Intersection) { // there is nothing beside
        std::fill(words, words + from.begin, 0);
        std::fill(words + from.end, words + image.wordsPerRow, 0);
      }
      if (k == 0) {
        std::copy(from.words, from.words + (from.end - from.begin), words + from.begin);
      } else {
        combineWords(operation, from.words, from.end - from.begin, words + from.begin);
      }
    }
    found.addRow(image, r);
  }
};

/// The box around two, or what they have in common.
template <int Dim>
Box<Dim> around(const Box<Dim>& a, const Box<Dim>& b) {
  if (a.empty() || b.empty()) {
    return a.empty() ? b : a;
  }
  Box<Dim> box = a;
  grow(box, b);
  return box;
}

template <int Dim>
Box<Dim> common(const Box<Dim>& a, const Box<Dim>& b) {
  Box<Dim> box;
  for (int d = 0; d < Dim; ++d) {
    box.begin[d] = std::max(a.begin[d], b.begin[d]);
    box.end[d] = std::min(a.end[d], b.end[d]);
  }
  return box.empty() ? Box<Dim>{} : box;
}

template <int Dim>
struct CountNodesOfLine {
  MaskImage<Dim> image;

  void operator()(std::int64_t line, std::int64_t& count) const {
    const std::int64_t numY = image.box.extent(1);
    const std::int64_t y = line % (numY + 1); // between the rows y - 1 and y
    const std::int64_t z = line / (numY + 1);
    const std::uint64_t* rows[4];
    int numRows = 0;
    const std::int64_t numZ = Dim == 2 ? 1 : image.box.extent(Dim - 1);
    for (std::int64_t rowZ = Dim == 2 ? z : std::max<std::int64_t>(z - 1, 0); rowZ <= std::min(z, numZ - 1); ++rowZ) {
      for (std::int64_t rowY = std::max<std::int64_t>(y - 1, 0); rowY <= std::min(y, numY - 1); ++rowY) {
        rows[numRows++] = image.words + (rowZ * numY + rowY) * image.wordsPerRow;
      }
    }
    count += detail::wordLoops().countNodes(rows, numRows, image.wordsPerRow);
  }
};

} // namespace

template <int Dim>
bool isNoise(std::int64_t numIntervals, const Box<Dim>& box) {
  constexpr std::int64_t wordsPerInterval = 2;
  return !box.empty() && detail::maskHasAtMost(box, wordsPerInterval * numIntervals);
}

template <int Dim>
void maskOf(const Context<Host>& context, const HostIntervalSet<Dim>& set, const Box<Dim>& bounds, CellMask<Dim>& out) {
  SPANWISE_REGION("Geometry::maskOf");
  const MaskImage<Dim> image = out.prepare(bounds);
  forEach(SPANWISE_KERNEL("draw rows"), rowsOf(context, image), DrawRowOfSet<Dim>{set.view(), image},
    Work{wordsOf(image) + set.numIntervals()});
  out.finish({set.numRows(), set.numIntervals(), set.numCells()}, bounds);
}

template <int Dim>
void intervalsOf(const Context<Host>& context, const CellMask<Dim>& mask, HostIntervalSet<Dim>& out) {
  SPANWISE_REGION("Geometry::intervalsOf");
  if (mask.empty()) {
    out.clear();
    return;
  }
  typename Workspace<Kokkos::HostSpace>::Frame frame(context.workspace());
  out.finish(detail::placeMasksOnHost<Host, Dim>(context.space(), mask.image(), mask.totals().intervals, frame,
    [&](std::int64_t rows, std::int64_t intervals) { return out.prepare(rows, intervals); }));
}

template <int Dim>
Box<Dim> boxOfCombined(SetOperation operation, const std::vector<const CellMask<Dim>*>& masks) {
  Box<Dim> box{};
  for (std::size_t k = 0; k < masks.size(); ++k) {
    const Box<Dim>& bounds = masks[k]->boundingBox();
    if (k == 0) {
      box = bounds;
    } else if (operation == SetOperation::Intersection) {
      box = common(box, bounds);
    } else if (operation != SetOperation::Difference) {
      box = around(box, bounds);
    }
  }
  return box;
}

template <int Dim>
void combine(const Context<Host>& context, SetOperation operation, const std::vector<const CellMask<Dim>*>& masks,
  CellMask<Dim>& out) {
  SPANWISE_REGION("Geometry::combine masks");
  const MaskImage<Dim> image = out.prepare(boxOfCombined(operation, masks));
  RowsOfMask<Dim> found;
  reduce(SPANWISE_KERNEL("combine masks"), rowsOf(context, image), CombineRows<Dim>{operation, masks, image}, found,
    Work{wordsOf(image) * static_cast<std::int64_t>(masks.size())});
  out.finish(found.totals, found.totals.cells > 0 ? found.bounds : Box<Dim>{});
}

template <int Dim>
std::int64_t countNodes(const Context<Host>& context, const CellMask<Dim>& mask) {
  SPANWISE_REGION("Geometry::countNodes");
  std::int64_t count = 0;
  if (!mask.empty()) {
    const MaskImage<Dim> image = mask.image();
    const std::int64_t lines = (image.box.extent(1) + 1) * (Dim == 2 ? 1 : image.box.extent(Dim - 1) + 1);
    reduce(SPANWISE_KERNEL("nodes of mask"), IndexRange<Host>(context.space(), 0, lines), CountNodesOfLine<Dim>{image},
      count, Work{lines * image.wordsPerRow});
  }
  return count;
}

#define SPANWISE_CELL_MASK(Dim)                                                                                        \
  template bool isNoise<Dim>(std::int64_t, const Box<Dim>&);                                                           \
  template Box<Dim> boxOfCombined<Dim>(SetOperation, const std::vector<const CellMask<Dim>*>&);                        \
  template void maskOf<Dim>(const Context<Host>&, const HostIntervalSet<Dim>&, const Box<Dim>&, CellMask<Dim>&);       \
  template void intervalsOf<Dim>(const Context<Host>&, const CellMask<Dim>&, HostIntervalSet<Dim>&);                   \
  template void combine<Dim>(                                                                                          \
    const Context<Host>&, SetOperation, const std::vector<const CellMask<Dim>*>&, CellMask<Dim>&);                     \
  template std::int64_t countNodes<Dim>(const Context<Host>&, const CellMask<Dim>&);
SPANWISE_CELL_MASK(2)
SPANWISE_CELL_MASK(3)

} // namespace spanwise::geometry
