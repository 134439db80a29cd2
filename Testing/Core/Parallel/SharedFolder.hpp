#pragma once

#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/TemporaryFolder.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace spanwise::testing {

/// Collective. Waits for all ranks.
inline void meet() { static_cast<void>(world().gather(0)); }

/// Collective. A folder of all ranks.
class SharedFolder {
public:
  SharedFolder() {
    std::string mine;
    if (world().rank() == 0) {
      mine = folder_.emplace().path();
    }
    const std::vector<char> path = world().gather(std::span<const char>(mine));
    path_.assign(path.begin(), path.end());
  }
  ~SharedFolder() { meet(); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
  std::optional<TemporaryFolder> folder_; ///< of rank 0
  std::string path_;
};

} // namespace spanwise::testing
