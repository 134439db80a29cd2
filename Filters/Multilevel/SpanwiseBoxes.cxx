#include "SpanwiseBoxes.h"

#include <map>
#include <tuple>
#include <utility>

namespace spanwise {

namespace {

/// Boxes that grow along an axis while the next layer has the same cross-section.
template <int Dim, class Section>
class Stack {
public:
  explicit Stack(int axis) : axis_(axis) {}

  /// Layers come in ascending order.
  void add(const Section& section, const Box<Dim>& layer) {
    const auto [open, isNew] = open_.emplace(section, boxes_.size());
    if (!isNew && boxes_[open->second].end[axis_] == layer.begin[axis_]) {
      boxes_[open->second].end[axis_] = layer.end[axis_];
      return;
    }
    open->second = boxes_.size();
    boxes_.push_back(layer);
  }

  std::vector<Box<Dim>> take() {
    open_.clear();
    return std::exchange(boxes_, {});
  }

private:
  int axis_;
  std::map<Section, std::size_t> open_; ///< the last box with a cross-section
  std::vector<Box<Dim>> boxes_;
};

} // namespace

template <int Dim>
std::vector<Box<Dim>> boxesOf(const HostIntervalSet<Dim>& set) {
  const IntervalSetView<Dim> view = set.view();
  Stack<Dim, std::tuple<Coordinate, Coordinate>> rows(1);
  Stack<Dim, std::tuple<Coordinate, Coordinate, Coordinate, Coordinate>> planes(Dim - 1);
  for (std::int64_t r = 0; r < view.numRows; ++r) {
    const RowKey<Dim>& key = view.rowKeys[r];
    for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
      Box<Dim> row{};
      row.begin[0] = view.intervals[i].begin;
      row.end[0] = view.intervals[i].end;
      row.begin[1] = key.y;
      row.end[1] = key.y + 1;
      if constexpr (Dim == 3) {
        row.begin[2] = key.z;
        row.end[2] = key.z + 1;
      }
      rows.add({row.begin[0], row.end[0]}, row);
    }
    const bool planeEnds = r + 1 == view.numRows || view.rowKeys[r + 1].zOr0() != key.zOr0();
    if (Dim == 3 && planeEnds) {
      for (const Box<Dim>& box : rows.take()) {
        planes.add({box.begin[0], box.end[0], box.begin[1], box.end[1]}, box);
      }
    }
  }
  return Dim == 3 ? planes.take() : rows.take();
}

template std::vector<Box<2>> boxesOf<2>(const HostIntervalSet<2>&);
template std::vector<Box<3>> boxesOf<3>(const HostIntervalSet<3>&);

} // namespace spanwise
