#include "Core/Parallel/SetChecksum.hpp"

#include "Core/Geometry/Copy.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Checksum.hpp"
#include "Core/Runtime/Communicator.hpp"

#include <cstdint>
#include <format>
#include <span>
#include <vector>

namespace spanwise::parallel {

namespace {

template <class T>
std::uint64_t checksumOfArray(const T* values, std::int64_t count) {
  return checksum(std::as_bytes(std::span(values, static_cast<std::size_t>(count))));
}

} // namespace

template <class ExecutionSpace, int Dim>
std::string checksumOf(
  const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set) {
  geometry::HostIntervalSet<Dim> host;
  agree(context.communicator(), [&] { geometry::copy(set, host); });
  const geometry::IntervalSetView<Dim> cells = host.view();
  const std::uint64_t mine[] = {checksumOfArray(cells.rowKeys, cells.numRows),
    checksumOfArray(cells.rowOffsets, cells.numRows > 0 ? cells.numRows + 1 : 0),
    checksumOfArray(cells.intervals, cells.numIntervals)};
  const std::vector<std::uint64_t> all = context.communicator().gather(std::span<const std::uint64_t>(mine));
  return std::format("{:016x}", checksumOfArray(all.data(), static_cast<std::int64_t>(all.size())));
}

#define SPANWISE_CHECKSUM_OF_CELLS(Space, Dim)                                                                         \
  template std::string checksumOf<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_CHECKSUM_OF_CELLS)

} // namespace spanwise::parallel
