#include "LbmDomain.h"

#include "CellsOfFile.h"

#include <algorithm>
#include <array>

using namespace spanwise;

bool isBed(const LbmOptions& asked) { return asked.flow == LbmCase::Porous && asked.file.empty(); }

double latticeSpeedOf(const LbmOptions& asked) {
  return asked.latticeSpeed.value_or(asked.isChannel || asked.flow == LbmCase::Porous ? 0.05 : 0.1);
}

FlowDomain domainOf(const LbmOptions& asked, int dimension, double length) {
  FlowDomain domain;
  domain.dimension = dimension;
  domain.numLevels = asked.numLevels;
  domain.radius = 0.5 * length;
  domain.isGiven = true;
  const auto give = [&](std::array<double, 3> lengths) {
    std::ranges::transform(lengths, domain.lengths.begin(), [&](double times) { return times * length; });
  };
  const auto centre = [&](double x, double y, double z) { domain.centre = {x * length, y * length, z * length}; };
  switch (asked.flow) {
  case LbmCase::Cavity:
    domain.around = FlowAround::Nothing;
    give({1.0, 1.0, 1.0});
    break;
  case LbmCase::Cylinder:
    if (asked.isChannel) {
      give({22.0, 4.1, 1.0});
      centre(2.0, 2.0, 0.0);
    } else { // a little beside the middle, or vortices would wait for round-off
      give({25.0, 16.0, 1.0});
      centre(8.0, 7.75, 0.0);
    }
    break;
  case LbmCase::Sphere:
    give({10.0, 6.0, 6.0});
    centre(3.0, 3.0, 3.0);
    break;
  default:
    domain.around = isBed(asked) ? FlowAround::Nothing : FlowAround::Set;
    domain.isGiven = isBed(asked);
    give({1.0, 1.0, 1.0});
    domain.upstream = asked.flow == LbmCase::File ? asked.room[0] : 0.0;
    domain.downstream = asked.flow == LbmCase::File ? asked.room[1] : 0.0;
    domain.beside = asked.flow == LbmCase::File ? asked.room[2] : 0.0;
  }
  return domain;
}

int sizeOf(const LbmOptions& asked, int dimension) {
  const auto usual = [&] {
    switch (asked.flow) {
    case LbmCase::Cavity:
      return dimension == 2 ? 128 : 48;
    case LbmCase::Cylinder:
      return asked.isChannel ? 20 : 16;
    case LbmCase::Porous:
      return 64;
    default:
      return 10;
    }
  };
  return asked.size.value_or(usual());
}

LbmScale scaleOf(const LbmOptions& asked, const InputCells& cells, const FlowPlace& place, int size) {
  if (asked.flow == LbmCase::File) {
    const double spacing = asked.cellSize.value_or(
      isSurfaceFile(asked.file) ? asked.finestPerCell() * cells.placement.spacing[0] : place.diameter / size);
    return {place.diameter, spacing};
  }
  if (asked.flow == LbmCase::Porous && !asked.file.empty()) {
    return {place.box[1] - place.box[0], cells.placement.spacing[0]};
  }
  const double spacing = asked.cellSize.value_or(isBed(asked) ? 1.0 : 1.0 / size);
  return {size * spacing, spacing};
}
