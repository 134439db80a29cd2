#include "SpanwiseStepWriter.h"

#include "IcsrReader.hpp"
#include "SpanwiseBridge.h"
#include "SpanwiseFileArrays.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseInputLevels.h"

#include "Readers/Hdf5/Utf8.hpp"

#include "Core/Runtime/Error.hpp"

#include <vtkAMRDataObject.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkFieldData.h>
#include <vtkPartitionedDataSet.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointData.h>
#include <vtkStringArray.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_set>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

// What all ranks together have, and where this one's part of it begins.
struct Share {
  std::int64_t before = 0;
  std::int64_t total = 0;
};

Share shareOf(const RankGroup& group, std::int64_t mine) {
  const std::vector<std::int64_t> all = group.gather(std::vector<std::int64_t>{mine});
  return {std::accumulate(all.begin(), all.begin() + group.rank(), std::int64_t{0}),
    std::accumulate(all.begin(), all.end(), std::int64_t{0})};
}

// The first rank for which `value` is true, or -1.
int firstRank(const RankGroup& group, bool value) {
  const std::vector<std::int64_t> all = group.gather(std::vector<std::int64_t>{static_cast<std::int64_t>(value)});
  const auto found = std::find(all.begin(), all.end(), 1);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

bool everywhere(const RankGroup& group, bool value) { return group.maximum(static_cast<std::int64_t>(!value)) == 0; }

// Equal for lists of arrays that are stored alike.
std::int64_t signatureOf(const std::vector<IcsrArray>& arrays) {
  std::string text;
  for (const IcsrArray& array : arrays) {
    text += array.name + '\0' + std::to_string(static_cast<int>(array.type)) + ' ' +
      std::to_string(array.numComponents) + ';';
  }
  return static_cast<std::int64_t>(std::hash<std::string>()(text) >> 1);
}

void setTuples(std::vector<IcsrArray>& arrays, std::int64_t count) {
  for (IcsrArray& array : arrays) {
    array.numTuples = count;
  }
}

template <int Dim>
bool sameArrays(const HostIntervalSet<Dim>& a, const HostIntervalSet<Dim>& b) {
  return a.numCells() == b.numCells() && a.view().intervals == b.view().intervals;
}

// Has each rank's planes lie above those of the rank before it. Cells that do already stay where they are, however
// uneven that is.
template <int Dim>
void bringToCut(const RankGroup& group, RankCells<Dim>& cells) {
  RowCut cut;
  if (!group.alone() && !findCut<Dim>(group, {&cells.set}, cut)) {
    migrate<Dim>(group, evenCut<Dim>(group, {&cells.set}), cells);
  }
}

IcsrPlacement toFile(const GridPlacement& placement) {
  IcsrPlacement result;
  std::copy_n(placement.origin, 3, result.origin);
  std::copy_n(placement.spacing, 3, result.spacing);
  result.level = placement.level;
  return result;
}

template <int Dim>
int dimensionOf(const Hierarchy<Dim>& /*levels*/) {
  return Dim;
}

// The one dataset that this rank has of a level; null if there are several, or something else was made levels of.
vtkDataSet* datasetOfLevel(vtkDataObject* data, int level) {
  auto* collection =
    vtkAMRDataObject::SafeDownCast(data) == nullptr ? vtkPartitionedDataSetCollection::SafeDownCast(data) : nullptr;
  const auto index = static_cast<unsigned int>(level);
  vtkPartitionedDataSet* parts = collection != nullptr && index < collection->GetNumberOfPartitionedDataSets()
    ? collection->GetPartitionedDataSet(index)
    : nullptr;
  return parts != nullptr && parts->GetNumberOfPartitions() == 1 ? parts->GetPartition(0) : nullptr;
}

template <int Dim>
auto& lastGrids(std::vector<IntervalGridPointer<2>>& in2D, std::vector<IntervalGridPointer<3>>& in3D) {
  if constexpr (Dim == 2) {
    return in2D;
  } else {
    return in3D;
  }
}

std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t maxNames = 12;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), maxNames); ++k) {
    text += (text.empty() ? "" : ", ") + hdf5::quotedName(names[k]);
  }
  return text + (names.size() > maxNames ? " and " + std::to_string(names.size() - maxNames) + " more" : "");
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (auto at = old.empty() ? std::string::npos : text.find(old); at != std::string::npos;
    at = text.find(old, at + by.size())) {
    text.replace(at, old.size(), by);
  }
  return text;
}

} // namespace

StepWriter::StepWriter(const RankGroup& group, const std::string& path, const IcsrStorage& storage)
  : group_(group), path_(path), storage_(storage) {
  agree([&] {
    if (group.rank() == 0) {
      file_ = std::make_unique<ReplacedFile>(path);
      temporary_ = file_->temporaryPath();
    }
  });
  temporary_ = group.gather(temporary_); // the others have none
}

void StepWriter::agree(const std::function<void()>& work) const {
  group_.agree([&] {
    try {
      work();
    } catch (const FileError& error) {
      throw FileError(replaced(error.what(), temporary_, path_));
    }
  });
}

// Processes may not have one file open at the same time.
void StepWriter::withWriter(const Work& work) {
  if (writer_ == nullptr) {
    writer_ = std::make_unique<IcsrWriter>(temporary_, storage_);
  }
  work(*writer_);
  if (!group_.alone()) {
    writer_->close();
    writer_.reset();
  }
}

void StepWriter::onFirstRank(const Work& work) {
  agree([&] {
    if (group_.rank() == 0) {
      withWriter(work);
    }
  });
}

void StepWriter::inTurn(bool takesPart, const Work& work) {
  for (int r = 0; r < group_.size(); ++r) {
    agree([&] {
      if (r == group_.rank() && takesPart) {
        withWriter(work);
      }
    });
  }
}

void StepWriter::remark(const std::string& text) {
  if (std::find(remarks_.begin(), remarks_.end(), text) == remarks_.end()) {
    remarks_.push_back(text);
  }
}

void StepWriter::remarkLeftOut(const std::string& kind, const std::vector<std::string>& arrays) {
  if (!arrays.empty()) {
    remark("the " + kind + " arrays " + joined(arrays) +
      " were left out: a file holds arrays of numbers, each UTF-8 name once");
  }
}

void StepWriter::write(vtkDataObject* data, std::optional<double> time, const Progress& progress) {
  auto* dataset = vtkDataSet::SafeDownCast(data);
  const bool hierarchy = data != nullptr && dataset == nullptr;
  if (group_.maximum(static_cast<std::int64_t>(hierarchy)) == 0) {
    const InputCells input = readCells(group_, dataset, InputValues::All, progress.part(0.0, 0.2));
    startStep(input.dimension(), 1, time);
    std::visit(
      [&](const auto& cells) { writeLevel(0, dataset, cells, input.placement, progress.part(0.2, 1.0)); }, input.cells);
  } else {
    std::visit(
      [&](const auto& levels) {
        const int count = levels.numLevels();
        startStep(dimensionOf(levels), count, time);
        for (int k = 0; k < count; ++k) {
          const auto at = [&](int l) { return 0.2 + 0.8 * static_cast<double>(l) / count; };
          writeLevel(k, datasetOfLevel(data, k), levels.leaves[static_cast<std::size_t>(k)],
            placementOfLevel(levels.root, k), progress.part(at(k), at(k + 1)));
        }
      },
      readLevels(group_, data, InputValues::All, progress.part(0.0, 0.2)));
  }
  writeFieldData(data);
  ++numSteps_;
}

void StepWriter::startStep(int dimension, int numLevels, std::optional<double> time) {
  last2_.resize(static_cast<std::size_t>(numLevels)); // levels that the step before did not have share nothing with it
  last3_.resize(static_cast<std::size_t>(numLevels));
  if (dimension_ == 0) {
    dimension_ = dimension;
    agree([&] {
      if (group_.rank() == 0) {
        IcsrWriter::create(temporary_, dimension_);
      }
    });
  }
  if (dimension != dimension_) { // the same on all ranks
    throw FileError("cannot write '" + path_ + "': step " + std::to_string(numSteps_) + " is " +
      std::to_string(dimension) + "D and the steps before it are " + std::to_string(dimension_) +
      "D; a file has one dimension");
  }
  onFirstRank([&](IcsrWriter& writer) { writer.addStep(time); });
}

template <int Dim>
void StepWriter::writeLevel(
  int number, vtkDataSet* data, const RankCells<Dim>& input, const GridPlacement& placement, const Progress& progress) {
  const IntervalGridPointer<Dim> carried = gridOf<Dim>(data);
  RankCells<Dim> cells = input;
  bringToCut(group_, cells);
  // Whether the input's points are the nodes of these cells, and whether the cells are those of the step before.
  const bool inPlace = cells.set.empty() || (carried != nullptr && sameArrays<Dim>(cells.set.host(), carried->set()));
  IntervalGridPointer<Dim>& last = lastGrids<Dim>(last2_, last3_)[static_cast<std::size_t>(number)];
  const bool unchanged = everywhere(group_, inPlace && carried != nullptr && last == carried) && numSteps_ > 0;
  last = carried;

  IcsrLevel level;
  level.placement = toFile(placement);
  IcsrPosition at;
  const auto count = [&](std::int64_t mine, std::int64_t& before, std::int64_t& total) {
    const Share share = shareOf(group_, mine);
    before = share.before;
    total = share.total;
  };
  count(cells.set.numRows(), at.row, level.numRows);
  count(cells.set.numIntervals(), at.interval, level.numIntervals);
  count(cells.set.numCells(), at.cell, level.numCells);
  std::vector<std::string> leftOut;
  // Where nobody has cells, nobody was asked for values: the arrays are those of rank 0, without a tuple.
  const bool nothing = level.numCells == 0 && data != nullptr && cells.values->GetNumberOfArrays() == 0;
  FileArrays arrays = arraysForFile(nothing ? data->GetCellData() : cells.values.Get(), leftOut);
  remarkLeftOut("cell", leftOut);
  level.cellArrays = arrays.infos;
  setTuples(level.cellArrays, level.numCells);

  onFirstRank(
    [&](IcsrWriter& writer) { writer.addLevel(level, unchanged ? std::optional<int>(numSteps_ - 1) : std::nullopt); });
  const Progress ofCells = progress.part(0.0, 0.8);
  inTurn(!cells.set.empty(), [&](IcsrWriter& writer) {
    if (!unchanged) {
      writer.writeCells<Dim>(number, cells.set.host().view(), {0, cells.set.numRows()}, at, ofCells.part(0.0, 0.2));
    }
    const auto arrayCount = static_cast<double>(arrays.arrays.size());
    for (std::size_t a = 0; a < arrays.arrays.size(); ++a) {
      const Progress ofArray = ofCells.part(
        0.2 + 0.8 * static_cast<double>(a) / arrayCount, 0.2 + 0.8 * static_cast<double>(a + 1) / arrayCount);
      forEachPiece(
        arrays.arrays[a], 0, cells.set.numCells(), [&](std::int64_t first, std::int64_t n, const void* values) {
          writer.writeValues(number, Association::Cells, level.cellArrays[a], {at.cell + first, n}, values, ofArray);
        });
    }
  });
  if (everywhere(group_, inPlace)) {
    writePoints<Dim>(number, data, cells.set.host(), at, level, progress.part(0.8, 1.0));
  } else if (firstRank(group_, data != nullptr && data->GetPointData()->GetNumberOfArrays() > 0) >= 0) {
    remark(
      "point arrays were left out: the input's points are not the nodes of the cells that were written, because the "
      "grid was rebuilt, has ghost cells, or was cut anew for the ranks");
  }
}

template <int Dim>
void StepWriter::writePoints(int number, vtkDataSet* data, const HostIntervalSet<Dim>& set, const IcsrPosition& at,
  IcsrLevel level, const Progress& progress) {
  const bool hasCells = !set.empty();
  FileArrays arrays;
  if (hasCells) {
    std::vector<std::string> leftOut;
    arrays = arraysForFile(data->GetPointData(), leftOut);
    remarkLeftOut("point", leftOut);
  }
  const int model = firstRank(group_, hasCells && !arrays.arrays.empty());
  if (model < 0) {
    return;
  }
  std::vector<std::int64_t> signature = {hasCells ? signatureOf(arrays.infos) : -1};
  const std::vector<std::int64_t> all = group_.gather(signature);
  const std::int64_t expected = all[static_cast<std::size_t>(model)];
  if (!std::all_of(all.begin(), all.end(), [&](std::int64_t s) { return s == -1 || s == expected; })) {
    remark("point arrays were left out: they are not the same on all ranks");
    return;
  }
  IcsrPointNumbers numbers;
  agree([&] {
    if (hasCells && group_.alone()) {
      numbers = numberPoints<Dim>(set, set, nullptr);
    } else if (hasCells) { // the planes of the neighbours are in the file by now
      const IcsrReader reader(temporary_);
      IcsrPart<Dim> part;
      part.set = set;
      numbers = reader.pointNumbers<Dim>(numSteps_, number, {at.row, at.row + set.numRows()}, part);
    }
  });
  const Share points = shareOf(group_, numbers.untilNext);
  level.numPoints = points.total;
  level.pointArrays = arrays.infos;
  setTuples(level.pointArrays, points.total);
  inTurn(group_.rank() == model, [&](IcsrWriter& writer) { writer.addPoints(number, level); });
  inTurn(hasCells, [&](IcsrWriter& writer) {
    std::vector<std::int64_t> rowPoints = numbers.rowFirst;
    for (std::int64_t& point : rowPoints) {
      point += points.before;
    }
    writer.writeRowPoints(number, at.row, rowPoints);
    for (std::size_t a = 0; a < arrays.arrays.size(); ++a) {
      std::int64_t done = 0;
      for (const IcsrPointNumbers::Run& run : numbers.runs) { // nodes that two ranks share are written twice, the same
        const std::int64_t shift = points.before + run.first - done;
        forEachPiece(arrays.arrays[a], done, run.count, [&](std::int64_t first, std::int64_t n, const void* values) {
          writer.writeValues(number, Association::Points, level.pointArrays[a], {first + shift, n}, values);
        });
        done += run.count;
      }
      progress.report(static_cast<double>(a + 1) / static_cast<double>(arrays.arrays.size()));
    }
  });
}

// Field data is the same on all ranks that have it; the first of them writes it.
void StepWriter::writeFieldData(vtkDataObject* data) {
  vtkFieldData* field = data != nullptr ? data->GetFieldData() : nullptr;
  const bool has = field != nullptr && field->GetNumberOfArrays() > 0;
  const int who = firstRank(group_, has);
  inTurn(group_.rank() == who, [&](IcsrWriter& writer) {
    std::vector<std::string> leftOut;
    std::unordered_set<std::string> names;
    for (int k = 0; k < field->GetNumberOfArrays(); ++k) {
      vtkAbstractArray* array = field->GetAbstractArray(k);
      const auto info = describeForFile(array);
      const std::string name = array->GetName() != nullptr ? array->GetName() : "";
      if (!info.has_value() || !names.insert(name).second) {
        leftOut.push_back(name);
        continue;
      }
      if (auto* texts = vtkStringArray::SafeDownCast(array)) {
        std::vector<std::string> values;
        for (vtkIdType v = 0; v < texts->GetNumberOfValues(); ++v) {
          values.push_back(texts->GetValue(v));
        }
        writer.addField(*info, values);
      } else {
        const auto copy = makeArray(*info, info->numTuples);
        copy->DeepCopy(vtkDataArray::SafeDownCast(array));
        writer.addField(*info, copy->GetVoidPointer(0));
      }
    }
    if (!leftOut.empty()) {
      remark(
        "the field arrays " + joined(leftOut) + " were left out: a file holds numbers and UTF-8 texts, each name once");
    }
  });
}

void StepWriter::finish() {
  agree([&] {
    if (writer_ != nullptr) {
      writer_->close();
    }
    if (file_ != nullptr) {
      file_->commit();
    }
  });
}

} // namespace spanwise
