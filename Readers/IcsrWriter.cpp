#include "IcsrWriter.hpp"

#include "Readers/IcsrNames.hpp"
#include "Readers/IcsrWriterImpl.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

// Runs `body`, says in errors which file it was, and keeps HDF5 from printing its own. A write that failed is the
// reason for whatever else went wrong after it.
template <class Body>
void writingFile(const std::string& path, const hdf5::WriteFailure& failure, const Body& body) {
  const hdf5::QuietErrors quiet;
  std::string why;
  try {
    body();
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    why = error.what();
  } catch (const std::exception& error) {
    why = std::string("there is not enough memory (") + error.what() + ")";
  }
  if (failure.error != 0) {
    why = std::strerror(failure.error);
  }
  if (!why.empty()) {
    throw FileError("cannot write '" + path + "': " + why);
  }
}

} // namespace

void IcsrWriter::create(const std::string& path, int dimension, const std::string& timeUnits) {
  hdf5::WriteFailure failure;
  writingFile(path, failure, [&] {
    if (dimension != 2 && dimension != 3) {
      throw FileError("the dimension is " + std::to_string(dimension) + "; it must be 2 or 3");
    }
    icsr::checkText(timeUnits, "the units of time");
    if (timeUnits.size() > icsr::maxAttributeBytes) {
      throw FileError("the units of time have " + std::to_string(timeUnits.size()) + " bytes; at most " +
        std::to_string(icsr::maxAttributeBytes) + " are possible");
    }
    hdf5::Handle file = hdf5::createFile(path, failure);
    hdf5::writeAttribute(file.id(), icsr::format, std::string(icsr::formatText));
    hdf5::writeAttribute(file.id(), icsr::version, std::vector<std::int32_t>{icsrMajorVersion, icsrMinorVersion});
    hdf5::writeAttribute(file.id(), icsr::dimension, std::int64_t{dimension});
    if (!timeUnits.empty()) {
      hdf5::writeAttribute(file.id(), icsr::timeUnits, timeUnits);
    }
    file.close("closing the file");
  });
}

IcsrWriter::IcsrWriter(const std::string& path, const IcsrStorage& storage) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->storage.compressionLevel = std::clamp(storage.compressionLevel, 0, 9);
  impl_->storage.chunkBytes =
    static_cast<std::uint64_t>(std::clamp<std::int64_t>(storage.chunkBytes, 1 << 12, 1 << 24));
  writingFile(path, impl_->failure, [&] { impl_->open(); });
}

IcsrWriter::~IcsrWriter() {
  const hdf5::QuietErrors quiet;
  impl_.reset();
}

void IcsrWriter::close() {
  writingFile(impl_->path, impl_->failure, [&] { impl_->close(); });
}

void IcsrWriter::addStep(std::optional<double> time) {
  writingFile(impl_->path, impl_->failure, [&] { impl_->addStep(time); });
}

void IcsrWriter::addLevel(const IcsrLevel& level, std::optional<int> sameAs) {
  writingFile(impl_->path, impl_->failure, [&] { impl_->addLevel(level, sameAs); });
}

void IcsrWriter::addPoints(int level, const IcsrLevel& description) {
  writingFile(impl_->path, impl_->failure, [&] { impl_->addPoints(level, description); });
}

template <int Dim>
void IcsrWriter::writeCells(
  int level, const IntervalSetView<Dim>& set, const IcsrRows& rows, const IcsrPosition& at, const Progress& progress) {
  writingFile(impl_->path, impl_->failure, [&] { impl_->writeCells(level, set, rows, at, progress); });
}

template void IcsrWriter::writeCells(
  int, const IntervalSetView<2>&, const IcsrRows&, const IcsrPosition&, const Progress&);
template void IcsrWriter::writeCells(
  int, const IntervalSetView<3>&, const IcsrRows&, const IcsrPosition&, const Progress&);

void IcsrWriter::writeValues(int level, Association association, const IcsrArray& array, const IcsrTuples& tuples,
  const void* values, const Progress& progress) {
  writingFile(
    impl_->path, impl_->failure, [&] { impl_->writeValues(level, association, array, tuples, values, progress); });
}

void IcsrWriter::writeRowPoints(int level, std::int64_t firstRow, const std::vector<std::int64_t>& points) {
  writingFile(impl_->path, impl_->failure, [&] { impl_->writeRowPoints(level, firstRow, points); });
}

void IcsrWriter::addField(const IcsrArray& array, const void* values) {
  writingFile(impl_->path, impl_->failure, [&] { impl_->addField(array, values); });
}

void IcsrWriter::addField(const IcsrArray& array, const std::vector<std::string>& texts) {
  writingFile(impl_->path, impl_->failure, [&] { impl_->addField(array, texts); });
}

} // namespace spanwise
