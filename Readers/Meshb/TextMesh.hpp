#pragma once

#include "Readers/Meshb/MeshSource.hpp"

#include <cstddef>
#include <string_view>

namespace spanwise::meshb {

/// The keyword with this name, or 0.
int keywordOf(std::string_view name);

/// A text: words apart by spaces, and comments from # to the end of a line. What is not known is passed over.
class TextMesh : public MeshSource {
public:
  explicit TextMesh(const std::string& path);

  void read(
    const Section& section, LineShape shape, std::vector<double>& reals, std::vector<std::int64_t>& integers) override;

private:
  /// The next word; empty at the end.
  std::string_view word();
  template <class T>
  T number(const std::string& what);

  std::vector<std::byte> bytes_;
  std::string_view text_;
  std::size_t at_ = 0;
};

} // namespace spanwise::meshb
