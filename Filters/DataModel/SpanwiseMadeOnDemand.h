#ifndef SpanwiseMadeOnDemand_h
#define SpanwiseMadeOnDemand_h

#include <atomic>
#include <memory>
#include <mutex>

namespace spanwise {

/// A value that is made when it is first asked for, once, whichever thread asks. Asking again takes a load.
template <class T>
class MadeOnDemand {
public:
  /// make() returns the value. What it throws leaves the value to be made by who asks next.
  template <class Make>
  const T& get(const Make& make) const {
    const T* made = made_.load(std::memory_order_acquire);
    if (made == nullptr) {
      const std::scoped_lock lock(mutex_);
      if (value_ == nullptr) {
        value_ = std::make_unique<const T>(make());
        made_.store(value_.get(), std::memory_order_release);
      }
      made = value_.get();
    }
    return *made;
  }
  /// Null as long as nobody has asked.
  [[nodiscard]] const T* ifMade() const { return made_.load(std::memory_order_acquire); }
  /// No thread may use the value any more.
  void reset() {
    made_ = nullptr;
    value_.reset();
  }

private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> value_;
  mutable std::atomic<const T*> made_{nullptr};
};

} // namespace spanwise

#endif
