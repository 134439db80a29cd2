// Damaged and hostile files: each must give an error or the right answer, in a child process that may not take much
// memory.

#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Readers/Mutation.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Readers/Hdf5/GroupLinks.hpp"

#include "Core/Runtime/Error.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {

namespace {

// Not 1, by which a sanitizer ends a program.
enum Outcome { read = 0, refused = 10, wrongException = 11 };

template <int Dim>
void digestPart(
  const IcsrReader& reader, int step, int l, const IcsrLevel& level, const IcsrRows& rows, std::string& digest) {
  const IcsrPart<Dim> part = reader.cells<Dim>(step, l, rows);
  const auto add = [&](const auto& view) {
    digest.append(reinterpret_cast<const char*>(view.data()), view.extent(0) * sizeof(*view.data()));
  };
  add(part.set.rowKeys());
  add(part.set.rowOffsets());
  add(part.set.intervals());
  add(part.set.cellOffsets());
  const auto values = [&](const IcsrArray& array, std::int64_t count) {
    digest += array.name + array.units;
    return std::string(static_cast<std::size_t>(count * array.numComponents * bytesOf(array)), '\0');
  };
  for (const IcsrArray& array : level.cellArrays) {
    std::string bytes = values(array, part.set.numCells());
    reader.cellValues(step, l, array, {part.firstCell, part.set.numCells()}, bytes.data());
    digest += bytes;
  }
  if (!level.pointArrays.empty()) {
    const IcsrPointNumbers numbers = reader.pointNumbers<Dim>(step, l, rows, part);
    for (const IcsrArray& array : level.pointArrays) {
      std::string bytes = values(array, numbers.numPoints);
      reader.pointValues(step, l, array, numbers, bytes.data());
      digest += bytes;
    }
  }
}

// Everything that a file holds, as one string.
std::string digestOf(const std::string& path) {
  std::string digest;
  const IcsrReader reader(path);
  for (int s = 0; s < reader.numSteps(); ++s) {
    if (!reader.times().empty()) {
      digest += std::to_string(reader.times()[static_cast<std::size_t>(s)]);
    }
    const PlaneRange rootPlanes = reader.rootPlanes(s, 1, 3);
    for (int l = 0; l < reader.numLevels(s); ++l) {
      const IcsrLevel level = reader.level(s, l);
      for (int d = 0; d < 3; ++d) {
        digest += std::to_string(level.placement.origin[d]) + std::to_string(level.placement.spacing[d]);
      }
      const IcsrRows shared = reader.rowsIn(s, l, rootPlanes); // as if planes were those of the level
      for (const IcsrRows rows : {IcsrRows{0, level.numRows}, reader.part(s, l, 1, 3), shared}) {
        reader.dimension() == 2 ? digestPart<2>(reader, s, l, level, rows, digest)
                                : digestPart<3>(reader, s, l, level, rows, digest);
      }
    }
    for (const IcsrArray& array : reader.fieldArrays(s)) {
      digest += array.name;
      if (array.type == ValueType::Text) {
        for (const std::string& text : reader.fieldTexts(s, array)) {
          digest += text;
        }
      } else {
        std::string bytes(static_cast<std::size_t>(array.numTuples * array.numComponents * bytesOf(array)), '\0');
        reader.fieldValues(s, array, bytes.data());
        digest += bytes;
      }
    }
  }
  return digest;
}

Outcome tryToRead(const std::string& path, std::string& text) {
  try {
    IcsrReader::canRead(path);
    text = std::to_string(std::hash<std::string>()(digestOf(path)));
    return read;
  } catch (const FileError& error) {
    text = error.what();
    return refused;
  } catch (const std::exception& error) {
    text = error.what();
    return wrongException;
  }
}

constexpr std::size_t extraBytes = std::size_t{256} << 20;

// Two steps with the same cells, point and field arrays, chunks of 4 KiB so that there are several, compressed or not.
template <int Dim>
std::vector<SampleStep<Dim>> sample(std::mt19937& random) {
  std::vector<SampleStep<Dim>> steps = {randomStep<Dim>(random, Dim == 2 ? 24 : 8, 0.6)};
  steps[0].time = 0.5;
  const std::int64_t points = numberPoints<Dim>(steps[0].set, steps[0].set, nullptr).numPoints;
  steps[0].pointArrays.push_back(randomArray(random, "at points", ValueType::Float32, points, 3));
  steps[0].fieldArrays.push_back(randomArray(random, "of all", ValueType::Int32, 10, 2));
  steps[0].cellArrays[8].info.units = "m/s";
  steps.push_back(steps[0]);
  steps[1].time = 1.5;
  steps[1].sameAs = 0;
  return steps;
}

// A finer level for the last step.
template <int Dim>
void addLevel(const std::string& path, std::mt19937& random, const IcsrStorage& storage) {
  const SampleStep<Dim> finer = randomStep<Dim>(random, Dim == 2 ? 24 : 8, 0.4);
  IcsrWriter writer(path, storage);
  IcsrLevel level;
  level.placement = finer.placement;
  ++level.placement.level;
  level.numRows = finer.set.numRows();
  level.numIntervals = finer.set.numIntervals();
  level.numCells = finer.set.numCells();
  level.cellArrays = infos(finer.cellArrays);
  writer.addLevel(level);
  writer.writeCells<Dim>(1, finer.set.view(), {0, level.numRows}, {});
  for (const SampleArray& array : finer.cellArrays) {
    writer.writeValues(1, Association::Cells, array.info, {0, array.info.numTuples}, array.bytes.data());
  }
  writer.close();
}

struct Tally {
  int same = 0;
  int other = 0;
  int refused = 0;
};

// Reads one damaged file in a child and says how it went; anything but an error or an answer fails the test.
void judge(
  const std::string& path, const std::string& expected, bool mayDiffer, const std::string& what, Tally& tally) {
  const ChildResult result = inChild(extraBytes, [&](std::string& text) { return tryToRead(path, text); });
  if (result.exitCode == refused) {
    ++tally.refused;
  } else if (result.exitCode == read && result.text == expected) {
    ++tally.same;
  } else if (result.exitCode == read && mayDiffer) {
    ++tally.other;
  } else {
    ADD_FAILURE() << what << ": exit code " << result.exitCode << ", signal " << result.signal << ", " << result.text;
    std::filesystem::copy_file(path, "/tmp/failed-" + std::to_string(::getpid()) + "-" + what,
      std::filesystem::copy_options::overwrite_existing);
  }
}

enum class Levels { One, Two };

template <int Dim>
void mutate(int rounds, Levels levels = Levels::One) {
  std::printf("seed %u\n", seed());
  std::mt19937 random(seed());
  const TemporaryFolder folder;
  for (const int compression : {0, 4}) {
    const std::string path = folder / "whole.icsr";
    const std::string damaged = folder / "damaged.icsr";
    writeSample<Dim>(path, sample<Dim>(random), {compression, 4096});
    if (levels == Levels::Two) {
      addLevel<Dim>(path, random, {compression, 4096});
    }
    std::string expected;
    ASSERT_EQ(tryToRead(path, expected), read) << expected;
    const FileBytes original = load(path);
    const Checksummed places = findChecksums(path);
    Mutator mutator(seed() + static_cast<unsigned>(compression));
    Tally raw;
    Tally forged;
    for (int r = 0; r < rounds; ++r) {
      const std::string what = std::to_string(Dim) + "D-" + std::to_string(compression) + "-" + std::to_string(r);
      store(damaged, mutator.damage(original));
      judge(damaged, expected, false, what + "-raw", raw);
      store(damaged, mutator.forge(original, places, r % 4 == 0));
      judge(damaged, expected, true, what + "-forged", forged);
    }
    std::printf(
      "%dD, compression %d, %zu bytes, %zu metadata blocks, %zu chunks: of %d damaged files %d were refused and %d "
      "read "
      "the same; of %d with mended checksums %d were refused, %d read the same, %d held something else that is valid\n",
      Dim, compression, original.size(), places.blocks.size(), places.chunks.size(), rounds, raw.refused, raw.same,
      rounds, forged.refused, forged.same, forged.other);
  }
}

// Small files that say a few bytes many times over.
struct IcsrBombs : public ::testing::Test {
  TemporaryFolder folder;
  std::string path = folder / "a.icsr";
  std::uint64_t step = 0; ///< addresses of headers
  std::uint64_t level = 0;
  std::uint64_t arrays = 0;
  std::uint64_t array = 0;

  // A file with 16 million cells in an interval and an array of as many zeros, which are packed into 16 KB.
  void SetUp() override {
    constexpr Coordinate cells = 1 << 24;
    SampleStep<2> bomb;
    bomb.set = fromArrays<2>({RowKey<2>::fromYZ(0, 0)}, {0, 1}, {{0, cells}});
    std::mt19937 random(1);
    bomb.cellArrays.push_back(randomArray(random, "zeros", ValueType::Int8, cells, 1));
    std::fill(bomb.cellArrays[0].bytes.begin(), bomb.cellArrays[0].bytes.end(), std::byte{0});
    writeSample<2>(path, {bomb}, {9, 1 << 24});
    ASSERT_LT(std::filesystem::file_size(path), 40000U);
    const hdf5::InputFile file(path);
    const hdf5::Structure structure(file);
    step = structure.object(structure.rootAddress(), "").link("Step0")->address;
    level = structure.object(step, "").link("Level0")->address;
    arrays = structure.object(level, "").link("CellData")->address;
    array = structure.object(arrays, "").link("zeros")->address;
  }

  // The same object under so many names more.
  void addNames(std::uint64_t group, const std::string& prefix, int first, int count, std::uint64_t object) const {
    std::vector<hdf5::NewLink> links;
    for (int k = first; k < first + count; ++k) {
      links.push_back({prefix + std::to_string(k), object});
    }
    hdf5::addLinks(path, {{group, links}});
  }

  // Copies of the array's header, which share its chunks.
  void addCopies(int count) const {
    std::vector<hdf5::Structure::Block> blocks;
    std::uint64_t end = 0;
    {
      const hdf5::InputFile file(path);
      hdf5::Structure structure(file);
      structure.noteBlocks(&blocks);
      static_cast<void>(structure.object(array, ""));
      end = file.size();
    }
    ASSERT_EQ(blocks.size(), 1U); // a header in one piece
    FileBytes bytes = load(path);
    const FileBytes header(bytes.begin() + static_cast<std::ptrdiff_t>(blocks[0].address),
      bytes.begin() + static_cast<std::ptrdiff_t>(blocks[0].address + blocks[0].bytes));
    std::vector<hdf5::NewLink> links;
    for (int k = 0; k < count; ++k) {
      links.push_back({"copy" + std::to_string(k), end + static_cast<std::uint64_t>(k) * header.size()});
      bytes.insert(bytes.end(), header.begin(), header.end());
    }
    const std::uint64_t newEnd = bytes.size();
    std::memcpy(bytes.data() + 28, &newEnd, sizeof(newEnd)); // the superblock's end of the file
    mendChecksum(bytes, {0, 48}, false);
    store(path, bytes);
    hdf5::addLinks(path, {{arrays, links}});
  }

  void expectRefused(const std::string& words) const {
    const ChildResult result = inChild(extraBytes, [&](std::string& text) { return tryToRead(path, text); });
    EXPECT_EQ(result.exitCode, refused) << "signal " << result.signal << ", " << result.text;
    EXPECT_NE(result.text.find(words), std::string::npos) << result.text;
    EXPECT_NE(result.text.find(path), std::string::npos) << result.text;
  }
};

/// So many files, or a quarter of them unless the test is exhaustive.
int someOf(int count) { return isExhaustive() ? count : count / 4; }

} // namespace

TEST_F(IcsrBombs, OneArrayUnderManyNames) {
  addNames(arrays, "a", 0, 200, array);
  expectRefused("one object");
  addNames(arrays, "a", 200, 20000, array);
  expectRefused("one object");
}

TEST_F(IcsrBombs, ManyArraysOverTheSameBytes) {
  addCopies(200);
  expectRefused("lie over each other");
}

TEST_F(IcsrBombs, OneLevelUnderManyNames) {
  addNames(step, "Level", 1, 3, level);
  expectRefused("one group");
  addNames(step, "Level", 4, 28, level);
  expectRefused("32 levels; at most 31");
  addNames(step, "Level", 32, 20000, level);
  expectRefused("20032 levels; at most 31");
}

TEST_F(IcsrBombs, OneStepUnderVeryManyNames) {
  const hdf5::InputFile file(path);
  addNames(hdf5::Structure(file).rootAddress(), "Step", 1, 20000, step);
  expectRefused("Step");
}

TEST(IcsrHostile, RandomDamageIn2DIsFound) { mutate<2>(someOf(700)); }
TEST(IcsrHostile, RandomDamageIn3DIsFound) { mutate<3>(someOf(700)); }
TEST(IcsrHostile, RandomDamageOfLevelsIn2DIsFound) { mutate<2>(someOf(300), Levels::Two); }
TEST(IcsrHostile, RandomDamageOfLevelsIn3DIsFound) { mutate<3>(someOf(300), Levels::Two); }

} // namespace spanwise::testing
