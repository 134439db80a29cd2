#pragma once

#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Search.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::geometry {

/// A part of a component that touches a part beside a cut.
struct JoinedPart {
  std::int64_t part;   ///< on this rank
  std::int64_t number; ///< of the component
  std::int64_t gone;   ///< parts of this rank, up to this one, that do not have the first cell of their component
  bool hasFirstCell;
};

/// The numbers of the components that have cells on this rank. What a rank has of a component, as far as it is
/// connected there, is a part: labels are numbers of parts, in the order of their first cells. Components are numbered
/// from 0 in the order of their first cells, as one process would number those of the whole set. With one process a
/// part is a component, and has its number.
///
/// Two parts may be of one component, which meet on another rank. Only what touches cuts is listed: memory is in
/// proportion to that. Lives no longer than the communicator.
class ComponentNumbering {
public:
  /// One process with so many components.
  explicit ComponentNumbering(std::int64_t count = 0) : numParts_(count), count_(count) {}
  /// Collective. Ranks have so many parts each, `counts`, which are numbered one rank's after the other's; `touching`
  /// are pairs of such numbers, on all ranks the same, of parts that are one component. O(ranks + pairs log pairs).
  ComponentNumbering(const Communicator& communicator, const std::vector<std::int64_t>& counts,
    const std::vector<std::int64_t>& touching);

  /// The ranks; null for one process.
  [[nodiscard]] const Communicator* communicator() const { return communicator_; }
  /// How many components there are on all ranks.
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// How many parts this rank has.
  [[nodiscard]] std::int64_t numParts() const { return numParts_; }
  /// The number of the component that a part is of. O(log(joined())).
  [[nodiscard]] std::int64_t number(std::int64_t part) const {
    return numberOf(first_, joined_.data(), static_cast<std::int64_t>(joined_.size()), part);
  }
  /// Whether the part has the first cell of its component: one part of all ranks has. O(log(joined())).
  [[nodiscard]] bool hasFirstCell(std::int64_t part) const;

  /// The parts that touch others, in order.
  [[nodiscard]] const std::vector<JoinedPart>& joined() const { return joined_; }
  /// The number that part 0 would have if it touched nothing.
  [[nodiscard]] std::int64_t first() const { return first_; }

  /// number(), for kernels: of what first() and joined() say.
  [[nodiscard]] KOKKOS_FUNCTION static std::int64_t numberOf(
    std::int64_t first, const JoinedPart* joined, std::int64_t numJoined, std::int64_t part) {
    const std::int64_t above = firstTrue(0, numJoined, 0, [&](std::int64_t k) { return joined[k].part > part; });
    if (above == 0) {
      return first + part;
    }
    const JoinedPart& before = joined[above - 1];
    return before.part == part ? before.number : first + part - before.gone;
  }

private:
  const Communicator* communicator_ = nullptr;
  std::int64_t numParts_ = 0;
  std::int64_t count_ = 0;
  std::int64_t first_ = 0;
  std::vector<JoinedPart> joined_;
};

} // namespace spanwise::geometry
