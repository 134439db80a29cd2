#pragma once

#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace spanwise {

/// Which way records travel between the host and where kernels see them.
enum class Access {
  In,      ///< written by the host, read by kernels
  Out,     ///< written by kernels, read by the host
  InOut,   ///< both
  Internal ///< seen by kernels alone: there is no memory for them on the host
};

/// A record of the user's own kind for each vertex, element, corner, or whatever else there are so many of: once for
/// the host and once where the kernels of an execution space see it. Nothing travels by itself; upload() and download()
/// do it, and the report of the runtime counts the bytes. Where kernels run on the host both are one, and nothing is
/// copied.
///
/// Copies share the records. Contents are undefined until they are written.
template <class Record, class ExecutionSpace>
class Records {
public:
  static_assert(std::is_trivially_copyable_v<Record>, "records are copied as bytes");
  using Memory = typename ExecutionSpace::memory_space;

  /// Throws as arrayLength(), or where there is no memory.
  Records(const std::string& label, std::int64_t count, Access access)
    : label_(label), access_(access),
      device_(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), arrayLength<Record>(count)) {
    if constexpr (!isShared) {
      if (access != Access::Internal) {
        host_ = Kokkos::View<Record*, Kokkos::HostSpace>(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, label), device_.extent(0));
      }
    }
  }

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(device_.extent(0)); }
  [[nodiscard]] Access access() const { return access_; }

  /// What kernels read and write: record k at data()[k].
  [[nodiscard]] Record* data() const { return device_.data(); }

  /// Record k as the host sees it. Throws InvalidArgument where records are internal, or there is no such one.
  [[nodiscard]] Record& operator[](std::int64_t k) const {
    if (access_ == Access::Internal) {
      throw InvalidArgument("records '" + label_ + "' are internal: the host does not see them");
    }
    if (k < 0 || k >= count()) {
      throw InvalidArgument("record " + std::to_string(k) + " of '" + label_ + "' was asked for: there are " +
        std::to_string(count()) + ", from 0 on");
    }
    if constexpr (isShared) {
      return device_(k);
    } else {
      return host_(k);
    }
  }

  /// Brings what the host wrote to the kernels of `space` that are launched next. Throws InvalidArgument unless records
  /// are In or InOut.
  void upload(const ExecutionSpace& space) const {
    if (access_ != Access::In && access_ != Access::InOut) {
      throw InvalidArgument("records '" + label_ + "' do not go to kernels: they must be Access::In or InOut for that");
    }
    if constexpr (!isShared) {
      Kokkos::deep_copy(space, device_, host_);
    }
  }

  /// Waits for the kernels of `space` and brings what they wrote to the host. Throws InvalidArgument unless records are
  /// Out or InOut.
  void download(const ExecutionSpace& space) const {
    if (access_ != Access::Out && access_ != Access::InOut) {
      throw InvalidArgument("records '" + label_ + "' do not come back: they must be Access::Out or InOut for that");
    }
    if constexpr (!isShared) {
      Kokkos::deep_copy(space, host_, device_);
    }
    space.fence(SPANWISE_LABEL("Mesh::Records"));
  }

private:
  static constexpr bool isShared = runsOnHost<ExecutionSpace>;

  std::string label_;
  Access access_;
  Kokkos::View<Record*, Memory> device_;
  Kokkos::View<Record*, Kokkos::HostSpace> host_; ///< empty where both are one
};

/// A few values that kernels read and return: one record, for parameters, and for a word from a kernel that is looked
/// into. What several elements or vertices write at once is left to chance: sums and the like are for
/// reduceElements().
template <class Parameters, class ExecutionSpace>
class ParameterBlock {
public:
  explicit ParameterBlock(const Parameters& parameters = {}) : record_("Spanwise::Mesh::parameters", 1, Access::InOut) {
    record_[0] = parameters;
  }

  /// As the host sees them.
  [[nodiscard]] Parameters& operator*() const { return record_[0]; }
  [[nodiscard]] Parameters* operator->() const { return &record_[0]; }
  /// As kernels see them.
  [[nodiscard]] Parameters* data() const { return record_.data(); }

  void upload(const ExecutionSpace& space) const { record_.upload(space); }
  void download(const ExecutionSpace& space) const { record_.download(space); }

private:
  Records<Parameters, ExecutionSpace> record_;
};

} // namespace spanwise
