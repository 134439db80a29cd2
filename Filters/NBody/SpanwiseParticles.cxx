#include "SpanwiseParticles.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseDataBlocks.h"
#include "SpanwiseInputMesh.h"
#include "SpanwiseValues.h"

#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <vtkCellCenters.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <format>
#include <limits>

namespace spanwise {

namespace {

/// Lengths of edges multiplied along the axes in which an image is not flat.
double sizeOfImageCell(vtkImageData* image) {
  int dimensions[3];
  image->GetDimensions(dimensions);
  double size = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    size *= dimensions[axis] > 1 ? std::abs(image->GetSpacing()[axis]) : 1.0;
  }
  return size;
}

/// The length, area or volume of each cell that counts; NaN of others.
std::vector<double> sizesOfCells(vtkDataSet* data) {
  const auto count = static_cast<std::size_t>(std::max<vtkIdType>(data->GetNumberOfCells(), 0));
  if (auto* image = vtkImageData::SafeDownCast(data)) {
    return std::vector<double>(count, sizeOfImageCell(image));
  }
  const InputMesh mesh = elementsOf(data);
  std::vector<double> sizes(count, std::nan(""));
  std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& host) {
      Kokkos::View<double*, Kokkos::HostSpace> onHost;
      const auto measure = [&]<ComputeSide side>(const SideContext<side>& context) {
        using Space = SpaceOf<side>;
        const MeshUpload<Space, Real, Index> upload(context.space(), host);
        const Kokkos::View<double*, typename Space::memory_space> measures(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Filters::measures")),
          arrayLength<double>(host.elements.numElements));
        computeMeasures<Space, Real, Index>(context, upload.view(), measures);
        onHost = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), measures); // waits
        context.space().fence(SPANWISE_LABEL("Filters::measures"));
      };
      computeOnSide(RankGroup(), "Sizes of cells", workOfPassOverElements(host.elements.numElements), measure);
      for (std::size_t e = 0; e < onHost.extent(0); ++e) {
        // Cells that are turned inside out are as large as the others.
        sizes[mesh.cells().empty() ? e : static_cast<std::size_t>(mesh.cells()[e])] = std::abs(onHost(e));
      }
    },
    mesh.view());
  return sizes;
}

/// The lowest of numbers that is found by several threads; -1: none is.
class FirstFound {
public:
  void add(std::int64_t number) {
    std::int64_t least = first_.load(std::memory_order_relaxed);
    while (number < least && !first_.compare_exchange_weak(least, number, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] std::int64_t number() const {
    const std::int64_t first = first_.load();
    return first == none ? -1 : first;
  }

private:
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> first_{none};
};

/// Whether several threads may read an array at once: others may keep the tuple that was read last, as those of VTK's
/// periodic filters do.
bool forThreads(vtkDataArray* array) {
  const int type = array->GetArrayType();
  return type == vtkArrayTypes::VTK_AOS_DATA_ARRAY || type == vtkArrayTypes::VTK_SOA_DATA_ARRAY ||
    type == vtkArrayTypes::VTK_IMPLICIT_ARRAY;
}

/// The same of the places of points.
bool forThreads(vtkDataSet* data) {
  if (auto* const points = vtkPointSet::SafeDownCast(data)) {
    return forThreads(points->GetPoints()->GetData());
  }
  return data->IsA("vtkImageData") || data->IsA("vtkRectilinearGrid");
}

/// work(i) for all i from 0 to `count`, by all threads or by this one.
template <class Work>
void forEachOf(std::int64_t count, bool byThreads, const Work& work) {
  const HostExecutionSpace host;
  forEach(SPANWISE_KERNEL("particles"), IndexRange<HostExecutionSpace>(host, 0, count), work,
    {byThreads ? count : std::int64_t{0}});
  host.fence(SPANWISE_LABEL("Filters::particles"));
}

/// Puts places where those of a piece begin.
void putPlaces(vtkDataSet* data, bool onPoints, std::int64_t first, const std::string& what, ParticlePlaces& places) {
  const vtkIdType count = onPoints ? data->GetNumberOfPoints() : data->GetNumberOfCells();
  vtkNew<vtkDoubleArray> centres;
  if (!onPoints) {
    centres->SetNumberOfComponents(3);
    centres->SetNumberOfTuples(count);
    vtkCellCenters::ComputeCellCenters(data, centres);
  }
  double at[3];
  onPoints ? data->GetPoint(0, at) : centres->GetTuple(0, at); // the first time by one thread, as VTK asks for
  FirstFound wrong;
  forEachOf(count, !onPoints || forThreads(data), [&](std::int64_t i) {
    double place[3] = {};
    onPoints ? data->GetPoint(i, place) : centres->GetTypedTuple(i, place);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!std::isfinite(place[axis])) {
        wrong.add(i);
      }
      places.coordinates[axis][static_cast<std::size_t>(first + i)] = place[axis];
    }
  });
  if (wrong.number() >= 0) {
    const auto k = static_cast<std::size_t>(first + wrong.number());
    throw InvalidArgument(
      std::format("{} {} of the {} lies at ({}, {}, {}); coordinates must be finite", onPoints ? "point" : "cell",
        wrong.number(), what, places.coordinates[0][k], places.coordinates[1][k], places.coordinates[2][k]));
  }
}

/// The charges of one data set of the input where those of the piece begin in columns of all; each 1 where there is no
/// array of them.
void putCharges(const ParticleInput& input, std::size_t piece, vtkDataArray* charges, ChargeMeaning meaning,
  const NotOwn& notOwn, std::vector<std::vector<double>>& columns) {
  const std::int64_t count = input.count(piece);
  const std::int64_t first = input.first(piece);
  const bool onPoints = input.onPoints();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    double* const column = columns[c].data() + first;
    if (charges == nullptr) {
      std::fill_n(column, count, 1.0);
      continue;
    }
    FirstFound wrong;
    static_cast<void>(charges->GetComponent(0, 0)); // the first time by one thread: it may be made on demand
    forEachOf(count, forThreads(charges), [&](std::int64_t i) {
      column[i] = charges->GetComponent(i, static_cast<int>(c));
      if (!std::isfinite(column[i])) {
        wrong.add(i);
      }
    });
    if (wrong.number() >= 0) {
      throw InvalidArgument(std::format("the charge '{}' of {} {} is {}; charges must be finite", charges->GetName(),
        onPoints ? "point" : "cell", wrong.number(), column[wrong.number()]));
    }
  }
  if (meaning == ChargeMeaning::Density) {
    if (onPoints) {
      throw InvalidArgument("charges are densities, and on points, which have no size; densities belong to cells");
    }
    const std::vector<double> sizes = sizesOfCells(input.pieces()[piece]);
    for (std::int64_t i = 0; i < count; ++i) {
      const double size = sizes[static_cast<std::size_t>(i)];
      if (!std::isfinite(size) && (notOwn.empty() || notOwn[static_cast<std::size_t>(first + i)] == isOwn)) {
        throw InvalidArgument(
          std::format("cell {} has no length, area or volume, which its charge's density must be multiplied by", i));
      }
      for (std::vector<double>& column : columns) {
        column[static_cast<std::size_t>(first + i)] *= size;
      }
    }
  }
}

} // namespace

ParticleInput::ParticleInput(const RankGroup& group, vtkDataObject* data, bool onPoints) : onPoints_(onPoints) {
  const std::vector<DataBlock> blocks = blocksOf(group, data);
  for (const DataBlock& block : blocks) {
    for (vtkDataSet* const piece : block.pieces) {
      pieces_.push_back(piece);
      blocks_.push_back(block.name);
      const vtkIdType count = onPoints ? piece->GetNumberOfPoints() : piece->GetNumberOfCells();
      firsts_.push_back(firsts_.back() + std::max<vtkIdType>(count, 0)); // an empty grid of a file may have -1 cells
    }
    ends_.push_back(pieces_.size());
  }
}

std::size_t ParticleInput::pieceOf(vtkDataSet* data) const {
  return static_cast<std::size_t>(std::find(pieces_.begin(), pieces_.end(), data) - pieces_.begin());
}

vtkDataSetAttributes* ParticleInput::arraysOf(vtkDataSet* data) const {
  return onPoints_ ? static_cast<vtkDataSetAttributes*>(data->GetPointData()) : data->GetCellData();
}

void ParticleInput::forEachPiece(const std::function<void(std::size_t, vtkDataSet*)>& work) const {
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
    if (count(piece) == 0) {
      continue;
    }
    if (blocks_[piece].empty()) {
      work(piece, pieces_[piece]);
    } else {
      aboutInput("block " + blocks_[piece], [&] { work(piece, pieces_[piece]); });
    }
  }
}

void ParticlePlaces::put(const std::vector<StandIn>& standIns) {
  for (const StandIn& standIn : standIns) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      coordinates[axis][static_cast<std::size_t>(standIn.point)] = standIn.place[axis];
    }
  }
}

NotOwn ParticleInput::notOwn(const RankGroup& group, std::vector<StandIn>* standIns) const {
  std::vector<NotOwn> marks;
  std::size_t begin = 0;
  for (const std::size_t end : ends_) { // blocks are the same on all ranks
    if (onPoints_) {
      const std::vector<vtkDataSet*> ofBlock(
        pieces_.begin() + static_cast<std::ptrdiff_t>(begin), pieces_.begin() + static_cast<std::ptrdiff_t>(end));
      std::vector<std::vector<StandIn>> ofPieces;
      for (NotOwn& ofPiece : notOwnPoints(group, ofBlock, &ofPieces)) {
        marks.push_back(std::move(ofPiece));
      }
      for (std::size_t k = 0; standIns != nullptr && k < ofPieces.size(); ++k) {
        for (const StandIn& standIn : ofPieces[k]) {
          standIns->push_back({first(begin + k) + standIn.point, standIn.place});
        }
      }
    }
    begin = end;
  }
  NotOwn all;
  group.agree([&] {
    for (std::size_t piece = 0; !onPoints_ && piece < pieces_.size(); ++piece) {
      marks.push_back(notOwnCells(pieces_[piece]));
    }
    if (std::all_of(marks.begin(), marks.end(), [](const NotOwn& ofPiece) { return ofPiece.empty(); })) {
      return;
    }
    all.assign(static_cast<std::size_t>(count()), 0);
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
      std::copy(marks[piece].begin(), marks[piece].end(), all.begin() + first(piece));
    }
  });
  return all;
}

ParticlePlaces placesOf(const ParticleInput& input, const std::string& what) {
  ParticlePlaces places;
  for (auto& axis : places.coordinates) {
    axis.resize(static_cast<std::size_t>(input.count()));
  }
  input.forEachPiece(
    [&](std::size_t piece, vtkDataSet* data) { putPlaces(data, input.onPoints(), input.first(piece), what, places); });
  return places;
}

void copyOwn(const ParticleInput& input, const NotOwn& notOwn, vtkDataSetAttributes* to) {
  std::vector<std::size_t> filled;
  input.forEachPiece([&](std::size_t piece, vtkDataSet* /*data*/) { filled.push_back(piece); });
  if (filled.empty()) {
    return;
  }
  if (filled.size() == 1 && notOwn.empty()) {
    to->PassData(input.arraysOf(input.pieces()[filled[0]]));
    return;
  }
  vtkDataSetAttributes::FieldList common;
  for (const std::size_t piece : filled) {
    vtkDataSetAttributes* const arrays = input.arraysOf(input.pieces()[piece]);
    for (int a = 0; a < arrays->GetNumberOfArrays(); ++a) {
      checkLength(arrays->GetAbstractArray(a), input.count(piece), input.onPoints() ? "point" : "cell");
    }
    common.IntersectFieldList(arrays);
  }
  to->CopyAllOn();
  common.CopyAllocate(to, vtkDataSetAttributes::COPYTUPLE, input.count(), 0);
  vtkIdType next = 0;
  for (std::size_t k = 0; k < filled.size(); ++k) {
    const std::size_t piece = filled[k];
    for (std::int64_t i = 0; i < input.count(piece); ++i) {
      if (notOwn.empty() || notOwn[static_cast<std::size_t>(input.first(piece) + i)] == isOwn) {
        common.CopyData(static_cast<int>(k), input.arraysOf(input.pieces()[piece]), i, to, next++);
      }
    }
  }
  to->RemoveArray(vtkDataSetAttributes::GhostArrayName());
}

std::vector<std::vector<double>> chargesOf(const ParticleInput& input,
  const std::function<vtkDataArray*(vtkDataSet*)>& arrayOf, ChargeMeaning meaning, const NotOwn& notOwn) {
  std::vector<std::vector<double>> columns;
  input.forEachPiece([&](std::size_t piece, vtkDataSet* data) {
    vtkDataArray* const charges = arrayOf(data);
    const int numComponents = charges == nullptr ? 1 : charges->GetNumberOfComponents();
    if (columns.empty()) {
      columns.resize(
        static_cast<std::size_t>(numComponents), std::vector<double>(static_cast<std::size_t>(input.count()), 0.0));
    }
    if (std::ssize(columns) != numComponents) {
      throw InvalidArgument(
        std::format("charges have {} and {} in a block before; they must be the same array everywhere",
          countText(numComponents, "component"), columns.size()));
    }
    putCharges(input, piece, charges, meaning, notOwn, columns);
  });
  return columns;
}

} // namespace spanwise
