#include "Readers/Meshb/BinaryMesh.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstring>
#include <format>

namespace spanwise::meshb {

namespace {

constexpr std::int32_t orderMark = 1;
constexpr std::int32_t swappedMark = 1 << 24;
// Kinds of solutions that SolAtVertices may have side by side; the library has room for as many.
constexpr std::int64_t maxSolutions = 1000;

template <class T>
T numberIn(const std::byte* bytes, bool isSwapped) {
  std::byte own[sizeof(T)];
  std::memcpy(own, bytes, sizeof(T));
  if (isSwapped) {
    std::reverse(own, own + sizeof(T));
  }
  T value;
  std::memcpy(&value, own, sizeof(T));
  return value;
}

} // namespace

bool BinaryMesh::beginsSo(std::span<const std::byte> start) {
  if (start.size() < 3 * sizeof(std::int32_t)) {
    return false;
  }
  const auto mark = numberIn<std::int32_t>(start.data(), false);
  const auto keyword = numberIn<std::int32_t>(start.data() + 2 * sizeof(std::int32_t), mark == swappedMark);
  return (mark == orderMark || mark == swappedMark) && keyword == Dimension;
}

BinaryMesh::BinaryMesh(const std::string& path) : MeshSource(path) {
  std::uint64_t position = 0;
  isSwapped_ = numberAt<std::int32_t>(position) == swappedMark;
  version_ = numberAt<std::int32_t>(position);
  position += sizeof(std::int32_t);   // Dimension, as beginsSo() saw
  integerAt(position, version_ >= 3); // the next place, which is the one after the number
  dimension_ = numberAt<std::int32_t>(position);
  checkHead();
  realBytes_ = version_ == 1 ? 4 : 8;
  readKeywords();
}

void BinaryMesh::readKeywords() {
  std::uint64_t position = 2 * sizeof(std::int32_t);
  std::uint64_t last = 0;
  for (std::uint64_t next = position; next != 0;) {
    position = next;
    if (position <= last) {
      throw FileError(std::format("its keyword at {} says that the next is at {}, before it", last, position));
    }
    last = position;
    Section section;
    section.keyword = numberAt<std::int32_t>(position);
    const std::int64_t place = integerAt(position, version_ >= 3);
    if (place < 0 || static_cast<std::uint64_t>(place) > file_.size()) {
      throw FileError(std::format(
        "its keyword at {} says that the next is at {}, and the file has {} bytes", last, place, file_.size()));
    }
    next = static_cast<std::uint64_t>(place);
    section.end = next == 0 ? file_.size() : next;
    if (section.keyword == End || next == file_.size()) {
      next = 0;
    }
    if (section.keyword == FloatingPointPrecision) {
      const auto bits = numberAt<std::int32_t>(position);
      if (bits != 32 && bits != 64) {
        throw FileError(std::format("its FloatingPointPrecision is {}; it must be 32 or 64", bits));
      }
      realBytes_ = bits / 8;
    } else if (section.keyword != Dimension && section.keyword != End && !nameOf(section.keyword).empty()) {
      const std::int64_t lines = integerAt(position, version_ >= 4);
      if (lines < 0) {
        throw FileError(std::format("it has {} {}", lines, nameOf(section.keyword)));
      }
      section.lines = static_cast<std::uint64_t>(lines);
      if (section.keyword == SolAtVertices) {
        const std::int64_t kinds = numberAt<std::int32_t>(position);
        if (kinds < 0 || kinds > maxSolutions) {
          throw FileError(std::format("it has {} solutions at vertices; 0 to {} are possible", kinds, maxSolutions));
        }
        for (std::int64_t k = 0; k < kinds; ++k) {
          section.solutions.push_back(numberAt<std::int32_t>(position));
        }
      }
      section.position = position;
    }
    addSection(std::move(section));
  }
}

template <class T>
T BinaryMesh::numberAt(std::uint64_t& position) const {
  std::byte bytes[sizeof(T)];
  file_.read(position, sizeof(T), bytes, "a keyword");
  position += sizeof(T);
  return numberIn<T>(bytes, isSwapped_);
}

std::int64_t BinaryMesh::integerAt(std::uint64_t& position, bool isWide) const {
  return isWide ? numberAt<std::int64_t>(position) : std::int64_t{numberAt<std::int32_t>(position)};
}

void BinaryMesh::read(
  const Section& section, LineShape shape, std::vector<double>& reals, std::vector<std::int64_t>& integers) {
  const std::size_t integerBytes = version_ >= 4 ? 8 : 4;
  const auto realBytes = static_cast<std::size_t>(realBytes_);
  const auto lineBytes =
    static_cast<std::uint64_t>(shape.reals) * realBytes + static_cast<std::uint64_t>(shape.integers) * integerBytes;
  const std::uint64_t room = section.end > section.position ? section.end - section.position : 0;
  if (section.lines > room / std::max<std::uint64_t>(lineBytes, 1)) {
    throw FileError(std::format("it has {} {} of {} bytes, and {} bytes up to the next keyword", section.lines,
      nameOf(section.keyword), lineBytes, room));
  }
  reals.resize(static_cast<std::size_t>(section.lines) * static_cast<std::size_t>(shape.reals));
  integers.resize(static_cast<std::size_t>(section.lines) * static_cast<std::size_t>(shape.integers));
  constexpr std::uint64_t batch = 1 << 14;
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(batch, section.lines) * lineBytes));
  auto real = reals.begin();
  auto integer = integers.begin();
  for (std::uint64_t done = 0; done < section.lines; done += batch) {
    const std::uint64_t lines = std::min(batch, section.lines - done);
    file_.read(section.position + done * lineBytes, lines * lineBytes, bytes.data(), nameOf(section.keyword));
    const std::byte* at = bytes.data();
    for (std::uint64_t line = 0; line < lines; ++line) {
      for (int k = 0; k < shape.reals; ++k, at += realBytes) {
        *real++ =
          realBytes == 4 ? static_cast<double>(numberIn<float>(at, isSwapped_)) : numberIn<double>(at, isSwapped_);
      }
      for (int k = 0; k < shape.integers; ++k, at += integerBytes) {
        *integer++ = integerBytes == 4 ? std::int64_t{numberIn<std::int32_t>(at, isSwapped_)}
                                       : numberIn<std::int64_t>(at, isSwapped_);
      }
    }
  }
}

} // namespace spanwise::meshb
