#pragma once

// A folder for files that several ranks write and read.

#include "Testing/Readers/Sample.hpp"

#include "Filters/Parallel/SpanwiseRankGroup.h"

#include <vtkMultiProcessController.h>

#include <memory>
#include <string>

namespace spanwise::testing {

inline RankGroup everybody() { return RankGroup::ofAll(vtkMultiProcessController::GetGlobalController()); }

/// A folder that all ranks know.
class SharedFolder {
public:
  SharedFolder() {
    if (everybody().rank() == 0) {
      folder_ = std::make_unique<TemporaryFolder>();
      name_ = *folder_ / "";
    }
    name_ = everybody().gather(name_);
  }
  ~SharedFolder() { static_cast<void>(everybody().sum(0)); } // nobody needs it any more
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  std::string operator/(const std::string& name) const { return name_ + name; }

private:
  std::unique_ptr<TemporaryFolder> folder_;
  std::string name_;
};

} // namespace spanwise::testing
