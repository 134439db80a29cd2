// Hierarchies of levels in files that several ranks write and read: one file, whoever has what.

#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Multilevel/Levels.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Readers/vtkSpanwiseReader.h"
#include "Readers/vtkSpanwiseWriter.h"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class T>
struct LevelRanks : public RandomTest<T> {};
TYPED_TEST_SUITE(LevelRanks, Dimensions);

template <int Dim>
void expectFile(const std::string& path, const Leaves<Dim>& all) {
  vtkNew<vtkSpanwiseReader> reader;
  reader->SetFileName(path.c_str());
  reader->UpdatePiece(0, 1, 0);
  expectLevels<Dim>(reader->GetOutputDataObject(0), all); // every rank alone
  auto* output = vtkPartitionedDataSetCollection::SafeDownCast(updateTogether(reader.Get()));
  ASSERT_NE(output, nullptr);
  ASSERT_EQ(output->GetNumberOfPartitionedDataSets(), all.size());
  Leaves<Dim> mine(all.size());
  std::vector<std::int64_t> counts;
  for (unsigned int k = 0; k < all.size(); ++k) {
    const auto grid = carriedGrid<Dim>(output->GetPartition(k, 0));
    expectOneCut<Dim>(grid);
    mine[k] = toCells(grid->set());
    counts.push_back(static_cast<std::int64_t>(mine[k].size()));
    const Leaves<Dim>& whole = all;
    EXPECT_TRUE(std::includes(whole[k].begin(), whole[k].end(), mine[k].begin(), mine[k].end()));
  }
  expectLevels<Dim>(output, mine);
  everybody().sum(counts);
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(counts[k], static_cast<std::int64_t>(all[k].size()));
  }
}

TYPED_TEST(LevelRanks, WriteOneFileWhoeverHasWhat) {
  constexpr int Dim = TypeParam::value;
  const RankGroup group = everybody();
  std::unique_ptr<TemporaryFolder> folder;
  std::string path;
  if (group.rank() == 0) {
    folder = std::make_unique<TemporaryFolder>();
    path = *folder / "a.icsr";
  }
  path = group.gather(path); // the others have none
  RandomLevels how;
  how.extent = Dim == 2 ? 10 : 4;
  const auto all = randomLeaves<Dim>(this->random, how);
  for (int split = 0; split < 3; ++split) { // scattered, all on the last rank, in planes of level 0
    Leaves<Dim> part(all.size());
    bool nothing = true;
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (const Cell<Dim>& cell : all[k]) {
        const int root = (cell.at[Dim - 1] >> k) + 100;
        const int owner = split == 0 ? (cell.at[0] + 1000) % group.size()
          : split == 1               ? group.size() - 1
                                     : std::min((root - 90) * group.size() / 20, group.size() - 1);
        if (std::max(owner, 0) == group.rank()) {
          part[k].insert(cell);
          nothing = false;
        }
      }
    }
    vtkNew<vtkSpanwiseWriter> writer;
    writer->SetInputDataObject(
      nothing ? vtkSmartPointer<vtkPartitionedDataSetCollection>::New() : levelsOf<Dim>(hierarchyOf<Dim>(part)));
    writer->SetFileName(path.c_str());
    EXPECT_EQ(writer->Write(), 1);
    expectFile<Dim>(path, all);
  }
  static_cast<void>(group.sum(0)); // nobody needs the folder any more
}

} // namespace
} // namespace spanwise::testing
