#ifndef SpanwisePlacedPoints_h
#define SpanwisePlacedPoints_h

// Not wrapped.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace spanwise {

/// Points that are placed in the view one by one, as a property of a filter.
class PlacedPoints {
public:
  [[nodiscard]] int count() const { return static_cast<int>(this->coordinates_.size() / 3); }
  [[nodiscard]] const std::vector<double>& coordinates() const { return this->coordinates_; } ///< 3 a point

  /// Points that are new lie in the origin. False: nothing is changed, as by a number that is negative.
  bool resize(int count) {
    const bool changes = count >= 0 && count != this->count();
    if (changes) {
      this->coordinates_.resize(3 * static_cast<std::size_t>(count), 0.0);
    }
    return changes;
  }

  /// Makes room for the point where there is none. False: nothing is changed, as by an index that is negative.
  bool set(int index, double x, double y, double z) {
    if (index < 0) {
      return false;
    }
    const bool isNew = index >= this->count() && this->resize(index + 1);
    const double point[3] = {x, y, z};
    double* const mine = this->coordinates_.data() + 3 * static_cast<std::size_t>(index);
    const bool changes = !std::equal(point, point + 3, mine);
    std::copy_n(point, 3, mine);
    return isNew || changes;
  }

private:
  std::vector<double> coordinates_;
};

} // namespace spanwise

#endif
