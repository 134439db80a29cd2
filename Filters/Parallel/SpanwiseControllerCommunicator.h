#ifndef SpanwiseControllerCommunicator_h
#define SpanwiseControllerCommunicator_h

// How Core talks to the other ranks of a VTK controller. Not wrapped.

#include "spanwiseParallelModule.h"

#include "Core/Runtime/Communicator.hpp"

class vtkMultiProcessController;

namespace spanwise {

/// The ranks of a controller, which must live as long. VTK's controllers know no messages under way: those of an
/// exchange are sent and received in finish(), pair after pair of ranks.
class SPANWISEPARALLEL_EXPORT ControllerCommunicator final : public Communicator {
public:
  explicit ControllerCommunicator(vtkMultiProcessController* controller);

  [[nodiscard]] int rank() const override;
  [[nodiscard]] int size() const override;
  [[nodiscard]] std::unique_ptr<Exchange> makeExchange() const override;
  void gatherBytes(const void* mine, void* all, std::span<const std::int64_t> lengths) const override;
  void reduce(ReduceBy operation, std::span<std::int64_t> values) const override;
  void reduce(ReduceBy operation, std::span<double> values) const override;

private:
  vtkMultiProcessController* controller_;
};

} // namespace spanwise

#endif
