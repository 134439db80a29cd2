#include "IcsrReader.hpp"

#include "Readers/IcsrAttributes.hpp"
#include "Readers/IcsrNames.hpp"
#include "Readers/IcsrReaderImpl.hpp"
#include "Readers/ReadingFile.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstring>

using namespace spanwise::parallel;

namespace spanwise {

IcsrReader::IcsrReader(const std::string& path)
  : impl_(readingFile(path, [&] { return std::make_unique<Impl>(path); })) {}
IcsrReader::~IcsrReader() = default;
IcsrReader::IcsrReader(IcsrReader&&) noexcept = default;
IcsrReader& IcsrReader::operator=(IcsrReader&&) noexcept = default;

bool IcsrReader::canRead(const std::string& path) noexcept {
  try {
    const hdf5::InputFile file(path);
    if (!hdf5::Structure::hasSignature(file)) {
      return false;
    }
    // A damaged file is still one of ours, so that opening it says what is wrong with it. The root group's attributes
    // stand near the begin.
    constexpr std::uint64_t nearBegin = 4096;
    const auto begin = file.read(0, std::min(nearBegin, file.size()), "the file");
    const std::string text(reinterpret_cast<const char*>(begin.data()), begin.size());
    if (text.find(icsr::formatText) != std::string::npos) {
      return true;
    }
    const hdf5::Structure structure(file);
    const hdf5::Object root = structure.object(structure.rootAddress(), "the file");
    return icsr::text(root, icsr::format, "the file") == icsr::formatText;
  } catch (...) {
    return false;
  }
}

const std::string& IcsrReader::path() const { return impl_->path; }
const FileState& IcsrReader::state() const { return impl_->file.state(); }
void IcsrReader::close() { impl_->file.close(); }
bool IcsrReader::reopen() { return impl_->file.reopen(impl_->path); }

int IcsrReader::dimension() const { return impl_->dimension; }
int IcsrReader::numSteps() const { return static_cast<int>(impl_->steps.size()); }
const std::vector<double>& IcsrReader::times() const { return impl_->times; }
const std::string& IcsrReader::timeUnits() const { return impl_->timeUnits; }

int IcsrReader::numLevels(int step) const {
  return readingFile(impl_->path, [&] {
    static_cast<void>(impl_->step(step)); // throws if there is none
    return static_cast<int>(impl_->levels[static_cast<std::size_t>(step)].size());
  });
}

IcsrLevel IcsrReader::level(int step, int level) const {
  return readingFile(impl_->path, [&] { return impl_->describeLevel(step, level); });
}

std::vector<IcsrArray> IcsrReader::fieldArrays(int step) const {
  return readingFile(impl_->path,
    [&] { return impl_->describeArrays(impl_->step(step), Association::Field, -1, icsr::stepGroup(step)); });
}

bool IcsrReader::hasSameCells(int step, int otherStep, int level) const {
  return readingFile(impl_->path, [&] {
    const auto addresses = [&](int s) {
      const hdf5::Object group = impl_->levelObject(s, level);
      std::vector<std::uint64_t> result;
      for (const char* name : {icsr::intervals, icsr::rowKeys, icsr::rowOffsets}) {
        result.push_back(Impl::member(group, name, Impl::levelName(s, level)));
      }
      return result;
    };
    return addresses(step) == addresses(otherStep) &&
      impl_->placement(step, level) == impl_->placement(otherStep, level);
  });
}

IcsrRows IcsrReader::part(int step, int level, int part, int parts) const {
  return readingFile(impl_->path, [&] { return impl_->part(step, level, part, parts); });
}

PlaneRange IcsrReader::planes(int step, int level, int part, int parts) const {
  return readingFile(impl_->path, [&] { return impl_->planes(step, level, part, parts); });
}

PlaneRange IcsrReader::rootPlanes(int step, int part, int parts) const {
  return readingFile(impl_->path, [&] { return impl_->rootPlanes(step, part, parts); });
}

IcsrRows IcsrReader::rowsIn(int step, int level, const PlaneRange& planes) const {
  return readingFile(impl_->path, [&] { return impl_->rowsIn(step, level, planes); });
}

template <int Dim>
IcsrPart<Dim> IcsrReader::cells(int step, int level, const IcsrRows& rows, const Progress& progress) const {
  return readingFile(impl_->path, [&] { return impl_->cells<Dim>(step, level, rows, progress); });
}

template IcsrPart<2> IcsrReader::cells(int, int, const IcsrRows&, const Progress&) const;
template IcsrPart<3> IcsrReader::cells(int, int, const IcsrRows&, const Progress&) const;

void IcsrReader::cellValues(
  int step, int level, const IcsrArray& array, const IcsrTuples& tuples, void* to, const Progress& progress) const {
  readingFile(impl_->path, [&] {
    const auto dataset =
      impl_->arrayDataset(impl_->levelObject(step, level), Association::Cells, array, Impl::levelName(step, level));
    dataset.read(static_cast<std::uint64_t>(tuples.first), static_cast<std::uint64_t>(tuples.count), to, progress);
  });
}

template <int Dim>
IcsrPointNumbers IcsrReader::pointNumbers(int step, int level, const IcsrRows& rows, const IcsrPart<Dim>& part) const {
  return readingFile(impl_->path, [&] { return impl_->pointNumbers<Dim>(step, level, rows, part); });
}

template IcsrPointNumbers IcsrReader::pointNumbers(int, int, const IcsrRows&, const IcsrPart<2>&) const;
template IcsrPointNumbers IcsrReader::pointNumbers(int, int, const IcsrRows&, const IcsrPart<3>&) const;

void IcsrReader::pointValues(int step, int level, const IcsrArray& array, const IcsrPointNumbers& numbers, void* to,
  const Progress& progress) const {
  if (numbers.runs.empty()) {
    return;
  }
  readingFile(impl_->path, [&] {
    const std::string name = Impl::levelName(step, level);
    const hdf5::Object group = impl_->levelObject(step, level);
    const hdf5::Dataset dataset = impl_->arrayDataset(group, Association::Points, array, name);
    const std::int64_t origin = impl_->firstPoint(group, name, numbers, static_cast<std::int64_t>(dataset.rows()));
    const std::int64_t length = numbers.runs.back().first + numbers.runs.back().count;
    if (numbers.runs.size() == 1) {
      const IcsrPointNumbers::Run& run = numbers.runs.front();
      dataset.read(static_cast<std::uint64_t>(origin + run.first), static_cast<std::uint64_t>(run.count), to, progress);
      return;
    }
    // All that lies between the runs belongs to the planes beside the rows, so it is little.
    const auto tupleBytes = static_cast<std::int64_t>(dataset.rowBytes());
    std::vector<std::byte> all(static_cast<std::size_t>(length * tupleBytes));
    dataset.read(static_cast<std::uint64_t>(origin), static_cast<std::uint64_t>(length), all.data(), progress);
    auto* out = static_cast<std::byte*>(to);
    for (const IcsrPointNumbers::Run& run : numbers.runs) {
      std::memcpy(out, all.data() + run.first * tupleBytes, static_cast<std::size_t>(run.count * tupleBytes));
      out += run.count * tupleBytes;
    }
  });
}

void IcsrReader::fieldValues(int step, const IcsrArray& array, void* to) const {
  readingFile(impl_->path, [&] {
    const auto dataset = impl_->arrayDataset(impl_->step(step), Association::Field, array, icsr::stepGroup(step));
    dataset.read(0, static_cast<std::uint64_t>(array.numTuples), to);
  });
}

std::vector<std::string> IcsrReader::fieldTexts(int step, const IcsrArray& array) const {
  return readingFile(impl_->path, [&] {
    const auto dataset = impl_->arrayDataset(impl_->step(step), Association::Field, array, icsr::stepGroup(step));
    const std::size_t bytes = dataset.type().bytes;
    if (!impl_->textBudget.take(dataset.address(), dataset.rows() * dataset.columns())) {
      throw FileError(dataset.what() + " has " + std::to_string(dataset.rows() * dataset.columns()) +
        " texts; a file has at most " + std::to_string(icsr::maxTextsPerByte) + " for each of its bytes (" +
        std::to_string(impl_->file.size()) + ")");
    }
    std::vector<std::byte> raw(static_cast<std::size_t>(dataset.rows() * dataset.rowBytes()));
    dataset.read(0, dataset.rows(), raw.data());
    std::vector<std::string> result;
    for (std::size_t at = 0; at < raw.size(); at += bytes) {
      result.push_back(icsr::toText(raw.data() + at, bytes, dataset.what()));
    }
    return result;
  });
}

} // namespace spanwise
