#include "SpanwiseRuntimeChoice.h"

#include "Core/Runtime/Runtime.hpp"

#include <mutex>

namespace spanwise {

namespace {

std::mutex choiceMutex;
RuntimeChoice chosen;

} // namespace

void chooseRuntime(const RuntimeChoice& choice) {
  RuntimeSettings settings;
  if (choice.threads != automaticThreads) {
    settings.numThreads = choice.threads;
  }
  if (choice.device != automaticDevice) {
    settings.deviceId = choice.device;
  }
  const std::scoped_lock lock(choiceMutex);
  setRuntimeSettings(settings);
  chosen = choice;
}

RuntimeChoice runtimeChoice() {
  const std::scoped_lock lock(choiceMutex);
  return chosen;
}

} // namespace spanwise
