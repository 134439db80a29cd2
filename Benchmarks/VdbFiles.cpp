// .vdb files beside OpenVDB's own library, in one run: a narrow band with distances, and noise as a mask. Both read the
// file that OpenVDB wrote, whole and at once, and write what they have read. Files lie where temporary files do: where
// that is in memory, no disk is measured. Bytes are those of the file.
//
// OMP_NUM_THREADS=1 SpanwiseVdbBenchmarks: OpenVDB reads and writes with one thread.

#include "Benchmarks/Inputs.hpp"
#include "Testing/Rooms.hpp"

#include "Core/Runtime/Runtime.hpp"
#include "vtkSpanwiseOpenVDBReader.h"
#include "vtkSpanwiseOpenVDBWriter.h"

#include <benchmark/benchmark.h>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>
#include <tbb/global_control.h>

#include <vtkDataObject.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace spanwise::benchmarks {
namespace {

/// Ten million voxels each.
enum class Content { LevelSet, Noise };

openvdb::GridBase::Ptr levelSet() {
  constexpr float radius = 364.0F;
  constexpr float halfWidth = 3.0F;
  const auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(radius, {}, 1.0F, halfWidth);
  grid->setName("Signed Distance");
  return grid;
}

/// Half of the voxels of a cube, by the bits of random numbers.
openvdb::GridBase::Ptr noise() {
  constexpr int extent = 272;
  const auto grid = openvdb::MaskGrid::create();
  grid->setName("noise");
  auto accessor = grid->getAccessor();
  std::uint64_t state = 1;
  std::uint64_t bits = 0;
  for (int x = 0; x < extent; ++x) {
    for (int y = 0; y < extent; ++y) {
      for (int z = 0; z < extent; ++z, bits >>= 1) {
        bits = z % 64 == 0 ? splitMix64(state) : bits;
        if ((bits & 1) != 0) {
          accessor.setValueOn({x, y, z});
        }
      }
    }
  }
  return grid;
}

void writeTheirs(const std::string& path, const openvdb::GridBase::Ptr& grid) {
  openvdb::io::File(path).write(openvdb::GridPtrVec{grid});
}

vtkSmartPointer<vtkDataObject> readOurs(const std::string& path) {
  vtkNew<vtkSpanwiseOpenVDBReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  return reader->GetOutputDataObject(0);
}

/// A folder with the file of OpenVDB, and what both make of it.
struct Sample {
  explicit Sample(Content content) {
    openvdb::initialize();
    theirs = content == Content::LevelSet ? levelSet() : noise();
    std::string name = (std::filesystem::temp_directory_path() / "spanwise-vdb-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    writeTheirs(file(), theirs);
    ours = readOurs(file());
  }
  ~Sample() { std::filesystem::remove_all(folder); }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;
  [[nodiscard]] std::string file() const { return (folder / "theirs.vdb").string(); }
  [[nodiscard]] std::string other() const { return (folder / "other.vdb").string(); }

  openvdb::GridBase::Ptr theirs;
  vtkSmartPointer<vtkDataObject> ours;
  std::filesystem::path folder;
};

template <Content content>
const Sample& sample() {
  static const Sample made(content);
  return made;
}

void reportFile(benchmark::State& state, const Sample& in, const std::string& path) {
  const auto voxels = static_cast<double>(in.theirs->activeVoxelCount());
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  state.counters["voxels"] = voxels;
  state.counters["file bytes"] = bytes;
  state.counters["bytes a voxel"] = bytes / voxels;
  state.counters["voxels/s"] =
    benchmark::Counter(voxels, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}

template <Content content>
void oursReads(benchmark::State& state) {
  const Sample& in = sample<content>();
  for (auto _ : state) {
    const auto read = readOurs(in.file());
    if (read->GetNumberOfElements(vtkDataObject::CELL) != static_cast<vtkIdType>(in.theirs->activeVoxelCount())) {
      state.SkipWithError("voxels are missing");
    }
  }
  reportFile(state, in, in.file());
}

template <Content content>
void theirsReads(benchmark::State& state) {
  const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
  const Sample& in = sample<content>();
  for (auto _ : state) {
    openvdb::io::File file(in.file());
    file.open(/*delayLoad=*/false);
    const auto grids = file.getGrids();
    benchmark::DoNotOptimize(grids->data());
  }
  reportFile(state, in, in.file());
}

template <Content content>
void oursWrites(benchmark::State& state) {
  const Sample& in = sample<content>();
  for (auto _ : state) {
    vtkNew<vtkSpanwiseOpenVDBWriter> writer;
    writer->SetInputDataObject(0, in.ours);
    writer->SetFileName(in.other().c_str());
    if (writer->Write() != 1) {
      state.SkipWithError("nothing was written");
    }
  }
  reportFile(state, in, in.other());
}

template <Content content>
void theirsWrites(benchmark::State& state) {
  const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
  const Sample& in = sample<content>();
  for (auto _ : state) {
    writeTheirs(in.other(), in.theirs);
  }
  reportFile(state, in, in.other());
}

#define SPANWISE_BENCH(content, name)                                                                                  \
  BENCHMARK(oursReads<Content::content>)                                                                               \
    ->Name("Spanwise/" name "/Read .vdb/1 thread")                                                                     \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(theirsReads<Content::content>)                                                                             \
    ->Name("OpenVDB/" name "/Read .vdb/1 thread")                                                                      \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(oursWrites<Content::content>)                                                                              \
    ->Name("Spanwise/" name "/Write .vdb/1 thread")                                                                    \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(theirsWrites<Content::content>)                                                                            \
    ->Name("OpenVDB/" name "/Write .vdb/1 thread")                                                                     \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);
SPANWISE_BENCH(LevelSet, "level set")
SPANWISE_BENCH(Noise, "noise")

} // namespace
} // namespace spanwise::benchmarks
