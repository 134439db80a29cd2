#include "SpanwiseFrameProperties.h"

#include "Core/Runtime/Error.hpp"

#include <cmath>
#include <format>
#include <limits>

namespace spanwise {

FrameChoice frameChoice(
  int numberOfFrames, int memoryLimit, const std::string& folder, bool interactive, double timeLimit) {
  const auto checkAtLeastOne = [](const char* what, int value) {
    if (value < 1) {
      throw InvalidArgument(std::format("the {} is {}; it must be at least 1", what, value));
    }
  };
  checkAtLeastOne("number of frames", numberOfFrames);
  if (numberOfFrames > maxFrames) {
    throw InvalidArgument(std::format("the number of frames is {}; it must be at most {}", numberOfFrames, maxFrames));
  }
  checkAtLeastOne("memory limit in millions of bytes", memoryLimit);
  if (!std::isfinite(timeLimit) || timeLimit < 0.0) {
    throw InvalidArgument(
      std::format("the time limit is {}; it must be finite and not negative; 0 is no limit", timeLimit));
  }
  const bool isLimited = interactive && timeLimit > 0.0;
  return {numberOfFrames, std::int64_t{1000000} * memoryLimit, folder,
    isLimited ? timeLimit : std::numeric_limits<double>::infinity()};
}

void printFrameProperties(ostream& os, vtkIndent indent, int numberOfFrames, int memoryLimit, const std::string& folder,
  bool interactive, double timeLimit) {
  os << indent << "NumberOfFrames: " << numberOfFrames << "\n";
  os << indent << "MemoryLimit: " << memoryLimit << "\n";
  os << indent << "FrameFolder: " << folder << "\n";
  os << indent << "Interactive: " << interactive << "\n";
  os << indent << "TimeLimit: " << timeLimit << "\n";
}

} // namespace spanwise
