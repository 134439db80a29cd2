#include "Core/Runtime/KernelResult.hpp"

#include <array>
#include <condition_variable>
#include <mutex>

namespace spanwise::detail {

namespace {

/// Cells are given back before a function ends, so as many as threads launch kernels at once will do.
class PinnedCells {
public:
  void* take() {
    std::unique_lock lock(mutex_);
    if (memory_ == nullptr) {
      memory_ = static_cast<char*>(Kokkos::kokkos_malloc<Kokkos::SharedHostPinnedSpace>(
        "Spanwise::Runtime::pinned cells", count * pinnedCellBytes));
      Kokkos::push_finalize_hook([this] { release(); });
      numFree_ = count;
      for (std::size_t k = 0; k < count; ++k) {
        free_[k] = memory_ + k * pinnedCellBytes;
      }
    }
    given_.wait(lock, [this] { return numFree_ > 0; });
    return free_[--numFree_];
  }

  void give(void* cell) {
    {
      const std::scoped_lock lock(mutex_);
      free_[numFree_++] = cell;
    }
    given_.notify_one();
  }

private:
  static constexpr std::size_t count = 64;

  void release() {
    const std::scoped_lock lock(mutex_);
    Kokkos::kokkos_free<Kokkos::SharedHostPinnedSpace>(memory_);
    memory_ = nullptr;
  }

  std::mutex mutex_;
  std::condition_variable given_;
  char* memory_ = nullptr;
  std::array<void*, count> free_{};
  std::size_t numFree_ = 0;
};

PinnedCells& pinnedCells() {
  static auto* const cells = new PinnedCells; // never destroyed: Kokkos stops after static objects have gone
  return *cells;
}

} // namespace

void* takePinnedCell() { return pinnedCells().take(); }
void givePinnedCell(void* cell) { pinnedCells().give(cell); }

} // namespace spanwise::detail
