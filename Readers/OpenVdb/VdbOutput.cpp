#include "Readers/OpenVdb/VdbOutput.hpp"

#include "Core/Runtime/Error.hpp"

#include <cerrno>
#include <cstring>

namespace spanwise::vdb {

VdbOutput::VdbOutput(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {
  constexpr std::size_t bufferBytes = 1U << 18; // nodes are small
  check(file_ != nullptr && std::setvbuf(file_.get(), nullptr, _IOFBF, bufferBytes) == 0);
}

void VdbOutput::check(bool done) const {
  if (!done) {
    throw FileError(std::string("it cannot be written: ") + std::strerror(errno));
  }
}

void VdbOutput::write(const void* bytes, std::size_t count) {
  check(std::fwrite(bytes, 1, count, file_.get()) == count);
  position_ += static_cast<std::int64_t>(count);
}

void VdbOutput::text(const std::string& text) {
  number(static_cast<std::uint32_t>(text.size()));
  write(text.data(), text.size());
}

void VdbOutput::replace(std::int64_t position, const void* bytes, std::size_t count) {
  check(::fseeko(file_.get(), position, SEEK_SET) == 0);
  check(std::fwrite(bytes, 1, count, file_.get()) == count);
  check(::fseeko(file_.get(), position_, SEEK_SET) == 0);
}

void VdbOutput::close() { check(std::fclose(file_.release()) == 0); }

} // namespace spanwise::vdb
