#pragma once

#include "Readers/Meshb/MeshSource.hpp"

#include <cstddef>
#include <span>

namespace spanwise::meshb {

/// A binary file: a number that tells the order of bytes, the version, and keywords, each with the place of the next.
/// Integers have 8 bytes in version 4, places from version 3 on; otherwise they have 4. Reals have 8 but in version 1.
class BinaryMesh : public MeshSource {
public:
  explicit BinaryMesh(const std::string& path);

  /// Whether a file that begins with these bytes, 12 or more, is such a file.
  static bool beginsSo(std::span<const std::byte> start);

  void read(
    const Section& section, LineShape shape, std::vector<double>& reals, std::vector<std::int64_t>& integers) override;

private:
  template <class T>
  T numberAt(std::uint64_t& position) const;
  std::int64_t integerAt(std::uint64_t& position, bool isWide) const;
  void readKeywords();

  bool isSwapped_ = false;
  int realBytes_ = 8;
};

} // namespace spanwise::meshb
