#include "Readers/OpenVdb/Cursor.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace spanwise::vdb {

Cursor::Cursor(const hdf5::InputFile& file, std::uint64_t position, std::uint64_t end, std::string what)
  : file_(file), position_(position), end_(end), what_(std::move(what)) {
  if (position > end || end > file.size()) {
    throw FileError(what_ + " would reach from byte " + std::to_string(position) + " to byte " + std::to_string(end) +
      ", but the file has " + std::to_string(file.size()) + " bytes");
  }
}

void Cursor::check(std::uint64_t count) const {
  if (count > left()) {
    throw FileError(what_ + " ends early: at byte " + std::to_string(position_) + " " + std::to_string(count) +
      " bytes are wanted and " + std::to_string(left()) + " are left");
  }
}

void Cursor::read(void* to, std::uint64_t count) {
  constexpr std::uint64_t windowBytes = 1U << 18;
  check(count);
  if (count > windowBytes) {
    file_.read(position_, count, static_cast<std::byte*>(to), what_);
    position_ += count;
    return;
  }
  if (position_ < windowBegin_ || position_ + count > windowBegin_ + window_.size()) {
    window_.resize(static_cast<std::size_t>(std::min(windowBytes, left())));
    file_.read(position_, window_.size(), window_.data(), what_);
    windowBegin_ = position_;
  }
  std::memcpy(to, window_.data() + (position_ - windowBegin_), static_cast<std::size_t>(count));
  position_ += count;
}

void Cursor::skip(std::uint64_t count) {
  check(count);
  position_ += count;
}

std::string Cursor::text() {
  const auto count = number<std::uint32_t>();
  check(count);
  std::string result(count, '\0');
  read(result.data(), count);
  return result;
}

} // namespace spanwise::vdb
