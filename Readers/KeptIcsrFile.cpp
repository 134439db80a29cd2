#include "Readers/KeptIcsrFile.hpp"

namespace spanwise {

const IcsrReader& KeptIcsrFile::readerOf(const std::string& path) {
  if (!reader_.has_value() || path_ != path || !reader_->reopen()) {
    reader_.reset(); // so that there are never two
    reader_.emplace(path);
    path_ = path;
  }
  return *reader_;
}

void KeptIcsrFile::close() {
  if (reader_.has_value()) {
    reader_->close();
  }
}

} // namespace spanwise
