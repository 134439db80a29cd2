#pragma once

#include "IcsrReader.hpp"

#include <optional>
#include <string>

namespace spanwise {

/// The file that the requests of a pipeline pass share: the first of them opens and parses it for all.
class KeptIcsrFile {
public:
  /// Runs work(reader) with a reader of the file at `path` as it is now. The reader of the call before serves again
  /// where the path is the same and the file is unchanged, which takes a call of the system, or three after close();
  /// otherwise the file is opened and parsed. What opening and `work` throw is thrown, and nothing is kept then. The
  /// file stays open for the next request, unless many readers of this process wait for theirs.
  template <class Work>
  void use(const std::string& path, const Work& work) {
    try {
      work(readerOf(path));
      closeIfManyAreOpen();
    } catch (...) {
      reader_.reset();
      throw;
    }
  }

  /// Closes the file, and keeps what was parsed. To be called where a pass ends: a file that nobody reads should not be
  /// open, so that its disk can be taken away and a file that was replaced gives its room back.
  void close();

private:
  const IcsrReader& readerOf(const std::string& path);
  void closeIfManyAreOpen();

  std::string path_;
  std::optional<IcsrReader> reader_;
};

} // namespace spanwise
