#ifndef SpanwiseRankGroup_h
#define SpanwiseRankGroup_h

// The ranks that make one output together. Not wrapped.

#include "spanwiseParallelModule.h"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Communicator.hpp"

#include <cstdint>
#include <memory>
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
class SPANWISEPARALLEL_EXPORT RankGroup {
public:
  /// One process that makes everything.
  RankGroup();

  /// The group of the request on an output port. `controller` may be null.
  static RankGroup ofRequest(vtkMultiProcessController* controller, vtkInformation* outInfo);
  /// All ranks of a controller, whatever is asked for.
  static RankGroup ofAll(vtkMultiProcessController* controller);

  /// The ranks for Core. Lives as long as a copy of this group.
  [[nodiscard]] const Communicator& communicator() const { return *communicator_; }
  [[nodiscard]] int rank() const { return communicator_->rank(); }
  [[nodiscard]] int size() const { return communicator_->size(); }
  [[nodiscard]] bool alone() const { return communicator_->alone(); }
  [[nodiscard]] int piece() const { return piece_; }
  [[nodiscard]] int pieces() const { return pieces_; }
  /// Whether one process has to make a part of the output out of the whole input.
  [[nodiscard]] bool streams() const { return alone() && pieces_ > 1; }

  /// Collective. Runs `work` on every rank. If it throws on any of them, all throw: Cancelled if that was all that
  /// happened, otherwise an Error with the message of the first rank that failed.
  template <class Work>
  void agree(const Work& work) const {
    spanwise::parallel::agree(*communicator_, work);
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
  std::shared_ptr<const Communicator> communicator_;
  vtkMultiProcessController* controller_ = nullptr; // not null where there are other ranks
  int piece_ = 0;
  int pieces_ = 1;
};

} // namespace spanwise

#endif
