#ifndef SpanwiseTeam_h
#define SpanwiseTeam_h

// The ranks that make one output together. Not wrapped.

#include "spanwiseParallelModule.h"

#include "Core/Runtime/Progress.hpp"

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

class vtkDataObject;
class vtkInformation;
class vtkMultiProcessController;

namespace spanwise {

/// Which part of an output this process has to make, and with whom.
///
/// The ranks of a controller work together when each of them was asked for the piece of its own number, as ParaView's
/// servers are. Any other request is answered alone: piece() of pieces() is then made from the whole input.
///
/// Functions marked collective must be called by all ranks in the same order. An exception that leaves between two of
/// them on one rank alone would leave the others waiting: what may throw belongs into agree().
class SPANWISEPARALLEL_EXPORT Team {
public:
  /// One process that makes everything.
  Team() = default;

  /// The team of the request on an output port. `controller` may be null.
  static Team ofRequest(vtkMultiProcessController* controller, vtkInformation* outInfo);
  /// All ranks of a controller, whatever is asked for.
  static Team ofAll(vtkMultiProcessController* controller);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool alone() const { return size_ == 1; }
  [[nodiscard]] int piece() const { return piece_; }
  [[nodiscard]] int pieces() const { return pieces_; }
  /// Whether one process has to make a part of the output out of the whole input.
  [[nodiscard]] bool streams() const { return alone() && pieces_ > 1; }
  [[nodiscard]] vtkMultiProcessController* controller() const { return controller_; }

  /// Collective. Runs `work` on every rank. If it throws on any of them, all throw: Cancelled if that was all that
  /// happened, otherwise an Error with the message of the first rank that failed.
  template <class Work>
  void agree(const Work& work) const {
    if (alone()) {
      work();
      return;
    }
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    agreeOn(failure);
  }

  // Collective, element by element; all ranks have as many values.
  void sum(std::vector<std::int64_t>& values) const;
  void minimum(std::vector<double>& values) const;
  void maximum(std::vector<double>& values) const;
  [[nodiscard]] std::int64_t sum(std::int64_t value) const;
  [[nodiscard]] std::int64_t maximum(std::int64_t value) const;

  /// Collective. The values of all ranks, one rank's after the other's; `counts` receives how many each had.
  [[nodiscard]] std::vector<std::int64_t> gather(
    const std::vector<std::int64_t>& mine, std::vector<std::int64_t>* counts = nullptr) const;
  [[nodiscard]] std::vector<double> gather(
    const std::vector<double>& mine, std::vector<std::int64_t>* counts = nullptr) const;
  [[nodiscard]] std::string gather(const std::string& mine) const;

  /// Collective. Gives every rank what rank `from` has.
  void broadcast(std::vector<double>& values, int from) const;
  void broadcast(vtkDataObject* data, int from) const;

private:
  void agreeOn(const std::exception_ptr& failure) const;

  vtkMultiProcessController* controller_ = nullptr; // not null where size_ > 1
  int rank_ = 0;
  int size_ = 1;
  int piece_ = 0;
  int pieces_ = 1;
};

/// Whether an exception only says that the caller asked to stop.
SPANWISEPARALLEL_EXPORT bool isCancelled(const std::exception_ptr& failure);

/// What an exception says, for people.
SPANWISEPARALLEL_EXPORT std::string messageOf(const std::exception_ptr& failure);

} // namespace spanwise

#endif
