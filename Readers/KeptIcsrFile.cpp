#include "Readers/KeptIcsrFile.hpp"

#include "Readers/FileCounts.hpp"

#include <cstdint>

namespace spanwise {

const IcsrReader& KeptIcsrFile::readerOf(const std::string& path) {
  if (!reader_.has_value() || path_ != path || !reader_->reopen()) {
    reader_.reset(); // so that there are never two
    reader_.emplace(path);
    path_ = path;
  }
  return *reader_;
}

// Readers that are asked for information alone would use up the descriptors of a process, often 1024.
void KeptIcsrFile::closeIfManyAreOpen() {
  constexpr std::int64_t many = 64;
  if (detail::fileCounts().numOpen() > many) {
    close();
  }
}

void KeptIcsrFile::close() {
  if (reader_.has_value()) {
    reader_->close();
  }
}

} // namespace spanwise
