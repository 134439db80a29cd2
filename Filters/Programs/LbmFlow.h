#ifndef LbmFlow_h
#define LbmFlow_h

#include "LbmOptions.h"

#include "SpanwiseInputCells.h"
#include "SpanwiseLatticeRun.h"
#include "SpanwiseRankGroup.h"
#include "SpanwiseWallSurface.h"

#include <cstdint>
#include <optional>
#include <string>

/// What is computed, measured and written of a flow, besides its setup.
struct LbmPlan {
  int size = 0;        ///< cells along the length
  double length = 0.0; ///< that the Reynolds number is of, in the user's units
  double speed = 0.0;  ///< as well; 0 in pores
  double area = 0.0;   ///< of the obstacle, that coefficients of forces are of; 0: without
  std::int64_t maxSteps = 0;
  std::int64_t outputStride = 0; ///< 0: at the end only
  double tolerance = 0.0;        ///< until the flow is steady; 0: it need not be
  std::int64_t numCells = 0;     ///< with fluid at the start, of all ranks and levels
  double numBoxCells = 0.0;
};

template <int Dim>
struct LbmFlow {
  spanwise::LatticeSetup<Dim> setup;
  LbmPlan plan;
};

/// What the file of a flow has.
struct LbmFile {
  spanwise::InputCells cells{};
  std::optional<spanwise::WallSurface> surface{}; ///< where walls lie on it
};

/// Collective. The flow that was asked for. Throws InvalidArgument on all ranks, with
/// advice, where it is impossible, needs more memory than there is, or would be unstable.
template <int Dim>
LbmFlow<Dim> makeLbmFlow(const spanwise::RankGroup& group, const LbmOptions& asked, const LbmFile& file);

/// What is derived, in a paragraph.
template <int Dim>
std::string tellFlow(const LbmOptions& asked, const LbmFlow<Dim>& flow);

#endif
