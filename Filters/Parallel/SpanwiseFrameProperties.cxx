#include "SpanwiseFrameProperties.h"

#include "Core/Runtime/Error.hpp"

#include <cmath>
#include <format>
#include <limits>

namespace spanwise {

FrameChoice frameChoice(const FrameProperties& properties) {
  const auto& [numberOfFrames, memoryLimit, folder, interactive, live, timeLimit, checkpoint, restart] = properties;
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
  return {numberOfFrames, std::int64_t{1000000} * memoryLimit, folder, live && interactive,
    isLimited ? timeLimit : std::numeric_limits<double>::infinity(), checkpoint, restart};
}

void printFrameProperties(ostream& os, vtkIndent indent, const FrameProperties& properties) {
  os << indent << "NumberOfFrames: " << properties.numberOfFrames << "\n";
  os << indent << "MemoryLimit: " << properties.memoryLimit << "\n";
  os << indent << "FrameFolder: " << properties.frameFolder << "\n";
  os << indent << "Interactive: " << properties.interactive << "\n";
  os << indent << "Live: " << properties.live << "\n";
  os << indent << "TimeLimit: " << properties.timeLimit << "\n";
  os << indent << "CheckpointFile: " << properties.checkpointFile << "\n";
  os << indent << "RestartFrom: " << properties.restartFrom << "\n";
}

} // namespace spanwise
