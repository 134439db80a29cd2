#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Stepping.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/FrameArrays.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Parallel/SharedFolder.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace spanwise::testing {
namespace {

constexpr std::int64_t numValues = 100;
constexpr std::int64_t frameBytes = numValues * 8;
constexpr int stepsPerFrame = 5;

/// Coupled logistic maps, on all ranks: an error in the last bit is seen everywhere some steps later. As solvers do, it
/// has something that is not stored but follows from what is: the mean.
class Maps : public Stepper {
public:
  Maps() : values_(numValues) {
    for (std::int64_t i = 0; i < numValues; ++i) {
      values_[static_cast<std::size_t>(i)] = 0.5 + 0.4 * std::sin(static_cast<double>(i + numValues * world().rank()));
    }
    findMean();
  }

  void advance(const Progress& progress) override {
    ++numFrames;
    for (int step = 0; step < stepsPerFrame; ++step) {
      agree(world(), [&] { progress.report(static_cast<double>(step) / stepsPerFrame); });
      for (double& value : values_) {
        value = 0.98 * 3.9 * value * (1.0 - value) + 0.02 * mean_;
      }
      findMean();
      ++step_;
      agree(world(), [&] {
        if (step_ == failAt && world().rank() == world().size() - 1) {
          throw InvalidArgument("a value is beyond its range");
        }
      });
    }
  }

  void store(KeptFrame& frame) override {
    frame.time = 0.5 * static_cast<double>(step_);
    means.resize(static_cast<std::size_t>(frame.number));
    means.push_back(mean_);
    const auto values = FrameWriter(frame, frameBytes).array<double>(numValues);
    std::copy(values_.begin(), values_.end(), values.begin());
  }

  void restore(const KeptFrame& frame, const Progress& progress) override {
    agree(world(), [&] { progress.report(0.0); });
    const auto values = FrameReader(frame).array<double>(numValues);
    values_.assign(values.begin(), values.end());
    step_ = std::lround(2.0 * frame.time);
    findMean();
  }

  void storeHistory(std::int64_t number, FrameWriter& to) const override {
    for (std::int64_t k = 0; k <= number; ++k) {
      to.number(means.at(static_cast<std::size_t>(k)));
    }
  }
  void restoreHistory(std::int64_t number, FrameReader& from) override {
    means.clear();
    for (std::int64_t k = 0; k <= number; ++k) {
      means.push_back(from.number<double>());
    }
  }

  std::vector<double> means; ///< of each frame
  int numFrames = 0;         ///< that were begun
  std::int64_t failAt = -1;

private:
  void findMean() {
    double sum = 0.0;
    for (const double value : values_) {
      sum += value;
    }
    mean_ = world().reduced(ReduceBy::Sum, sum) / static_cast<double>(numValues * world().size());
  }

  std::vector<double> values_;
  double mean_ = 0.0;
  std::int64_t step_ = 0;
};

/// Frames 0 to `last`, in one run.
void run(Stepping& stepping, Maps& maps, std::int64_t last) {
  stepping.start(world(), maps);
  stepping.moveTo(world(), maps, last);
}

void expectSameFrames(const Stepping& stepping, const Stepping& expected) {
  ASSERT_EQ(stepping.frames().end(), expected.frames().end());
  for (std::int64_t number = stepping.frames().begin(); number < stepping.frames().end(); ++number) {
    const auto found = stepping.frame(world(), number);
    const auto whole = expected.frame(world(), number);
    EXPECT_EQ(found->number, number);
    EXPECT_EQ(found->time, whole->time);
    EXPECT_TRUE(found->bytes == whole->bytes) << "frame " << number;
  }
}

TEST(Stepping, EachFrameIsComputedOnce) {
  Maps maps;
  Stepping stepping;
  run(stepping, maps, 6);
  EXPECT_EQ(maps.numFrames, 6);
  EXPECT_EQ(stepping.frames().begin(), 0);
  EXPECT_EQ(stepping.frames().end(), 7);
  EXPECT_EQ(stepping.frames().time(4), 0.5 * 4 * stepsPerFrame);
  stepping.moveTo(world(), maps, 3);
  stepping.moveTo(world(), maps, 6);
  EXPECT_EQ(maps.numFrames, 6);
  stepping.moveTo(world(), maps, stepping.frames().end()); // live: one more
  EXPECT_EQ(maps.numFrames, 7);
  EXPECT_NE(stepping.frame(world(), 7)->bytes, stepping.frame(world(), 6)->bytes);
}

/// A source that shows frames needs the solver's state there, to derive what it draws.
TEST(Stepping, WhoeverReadsAFrameChangesNothing) {
  Maps maps;
  Stepping whole;
  run(whole, maps, 9);
  Maps others;
  Stepping stepping;
  run(stepping, others, 5);
  const auto expectAt = [&](std::int64_t number) {
    stepping.goTo(world(), others, number);
    KeptFrame here;
    here.number = number;
    others.store(here);
    EXPECT_EQ(here.time, whole.frames().time(number));
    EXPECT_EQ(here.bytes, whole.frame(world(), number)->bytes);
  };
  expectAt(2);
  expectAt(4);
  stepping.moveTo(world(), others, 7);
  expectAt(7);
  expectAt(0);
  stepping.truncate(6);
  stepping.moveTo(world(), others, 9);
  expectSameFrames(stepping, whole);
  EXPECT_EQ(others.numFrames, 5 + 2 + 4);
  EXPECT_NE(messageOf<InvalidArgument>([&] { stepping.goTo(world(), others, 12); }), "");
}

/// From a frame on, in a program that knows nothing of the frames before but what the files hold.
TEST(Stepping, RestartedFromACheckpointItHasTheSameBits) {
  constexpr std::int64_t last = 12;
  Maps maps;
  Stepping whole;
  run(whole, maps, last);
  const SharedFolder folder;
  const CheckpointFiles files{folder / "maps", "maps of 3.9"};
  for (const std::int64_t number : {5, 7}) { // the second in the place of the first
    whole.checkpoint(world(), maps, files, number);
    Maps later;
    Stepping stepping;
    stepping.restart(world(), later, files);
    EXPECT_EQ(stepping.frames().begin(), number);
    EXPECT_EQ(later.means.size(), static_cast<std::size_t>(number) + 1);
    stepping.moveTo(world(), later, last);
    EXPECT_EQ(later.numFrames, last - number);
    expectSameFrames(stepping, whole);
    EXPECT_EQ(later.means, maps.means);
  }
  Maps other;
  Stepping stepping;
  EXPECT_NE(messageOf<Error>([&] {
    stepping.restart(world(), other, {files.path, "maps of 3.8"});
  }).find("it is of another run, 'maps of 3.9', and this one is 'maps of 3.8'"),
    std::string::npos);
  EXPECT_TRUE(stepping.frames().empty());
  EXPECT_THROW(whole.checkpoint(world(), maps, files, last + 1), Error); // no such frame
}

/// Stopped again and again, wherever it is, by one rank.
TEST(Stepping, StoppedAndResumedItHasTheSameBits) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed()); // the same on all ranks
  constexpr std::int64_t last = 12;
  Maps maps;
  Stepping whole;
  run(whole, maps, last);
  Maps stopped;
  Stepping stepping;
  stepping.start(world(), stopped);
  int stops = 0;
  for (; stepping.frames().end() <= last; ++stops) {
    ASSERT_LT(stops, 10000);
    const auto before = stepping.frames().end();
    const auto stopper = static_cast<int>(random() % static_cast<unsigned>(world().size()));
    int left = static_cast<int>(random() % (3 * stepsPerFrame));
    const Progress progress([&](double) { return left-- > 0 || world().rank() != stopper; });
    try {
      stepping.moveTo(world(), stopped, last, progress);
    } catch (const Cancelled&) {
      EXPECT_GE(stepping.frames().end(), before);
    }
  }
  EXPECT_GT(stops, 2);
  expectSameFrames(stepping, whole);
}

TEST(Stepping, AFrameIsBegunInTimeOrIsTheFirst) {
  Maps maps;
  Stepping whole;
  run(whole, maps, 5);
  Maps limited;
  Stepping stepping;
  stepping.start(world(), limited);
  for (std::int64_t end = 2; end <= 6; ++end) {
    stepping.moveTo(world(), limited, 5, {}, 1e-9);
    EXPECT_EQ(stepping.frames().end(), end);
  }
  expectSameFrames(stepping, whole);
  stepping.moveTo(world(), limited, 2, {}, 0.0); // what is there takes no time
  stepping.moveTo(world(), limited, 20, {}, 600.0);
  EXPECT_EQ(stepping.frames().end(), 21);
}

TEST(Stepping, FramesBeyondTheLimitAreAnErrorThatLosesNothing) {
  Maps maps;
  Stepping whole;
  run(whole, maps, 6);
  Maps limited;
  Stepping stepping;
  stepping.setStorage(world(), {3 * frameBytes + 10, ""});
  stepping.start(world(), limited);
  EXPECT_NE(
    messageOf([&] { stepping.moveTo(world(), limited, 6); }).find("frame 3 takes 0.0008 MB"), std::string::npos);
  EXPECT_EQ(stepping.frames().end(), 3);
  EXPECT_NE(messageOf([&] { stepping.setStorage(world(), {frameBytes, ""}); }), "");
  stepping.setStorage(world(), {7 * frameBytes, ""});
  stepping.moveTo(world(), limited, 6);
  expectSameFrames(stepping, whole);
  EXPECT_NE(messageOf([&] { stepping.moveTo(world(), limited, 7); }), "");
  stepping.truncate(2);
  stepping.setStorage(world(), {2 * frameBytes, ""});
  EXPECT_NE(messageOf([&] { stepping.moveTo(world(), limited, 2); }), "");
}

TEST(Stepping, WithAFolderFramesBeyondTheLimitAreInFiles) {
  const TemporaryFolder folder;
  Maps maps;
  Stepping whole;
  run(whole, maps, 9);
  Maps limited;
  {
    Stepping stepping;
    stepping.setStorage(world(), {2 * frameBytes, folder.path()});
    run(stepping, limited, 4);
    EXPECT_EQ(stepping.frames().bytesInMemory(), 2 * frameBytes);
    EXPECT_EQ(stepping.frames().bytesInFiles(), 3 * frameBytes);
    stepping.setStorage(world(), {0, folder.path()});
    stepping.moveTo(world(), limited, 9);
    EXPECT_EQ(folder.numFiles(), 10);
    expectSameFrames(stepping, whole);
    stepping.truncate(5);
    EXPECT_EQ(folder.numFiles(), 5);
    stepping.moveTo(world(), limited, 9); // from what is read of a file
    expectSameFrames(stepping, whole);
  }
  EXPECT_EQ(folder.numFiles(), 0);
}

TEST(Stepping, ARunGoesOnFromAFrameOfAnother) {
  Maps maps;
  Stepping whole;
  run(whole, maps, 8);
  Maps other;
  Stepping stepping;
  run(stepping, other, 2); // is forgotten
  stepping.restart(world(), other, *whole.frame(world(), 5));
  EXPECT_EQ(stepping.frames().begin(), 5);
  stepping.moveTo(world(), other, 8);
  expectSameFrames(stepping, whole);
}

TEST(Stepping, AnErrorOnOneRankIsOneOnAll) {
  const std::string ofLast = world().alone() ? "" : "on rank " + std::to_string(world().size() - 1) + ": ";
  Maps maps;
  Stepping whole;
  run(whole, maps, 4);
  Maps failing;
  failing.failAt = 2 * stepsPerFrame + 3; // within frame 3
  Stepping stepping;
  stepping.start(world(), failing);
  EXPECT_EQ(messageOf([&] { stepping.moveTo(world(), failing, 4); }), ofLast + "a value is beyond its range");
  EXPECT_EQ(stepping.frames().end(), 3);
  failing.failAt = -1;
  stepping.moveTo(world(), failing, 4);
  expectSameFrames(stepping, whole);
  const bool isLast = world().rank() == world().size() - 1;
  EXPECT_EQ(messageOf([&] { stepping.setStorage(world(), {isLast ? -1 : 1000000, ""}); }),
    ofLast + "the memory limit of frames is -1 bytes; it must not be negative");
}

TEST(Stepping, BeforeTheStartThereIsNothingToGoOnFrom) {
  Maps maps;
  Stepping stepping;
  const std::string message = "there is no frame to go on from: start the run first";
  EXPECT_EQ(messageOf([&] { stepping.moveTo(world(), maps, 1); }), message);
  stepping.setStorage(world(), {10, ""});
  EXPECT_NE(messageOf([&] { stepping.start(world(), maps); }), ""); // does not fit
  EXPECT_EQ(messageOf([&] { stepping.moveTo(world(), maps, 1); }), message);
}

} // namespace
} // namespace spanwise::testing
