#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <new>

namespace spanwise::testing {
namespace {

TEST(Communicator, GathersInTheOrderOfRanks) {
  const int size = world().size();
  std::vector<std::int64_t> counts;
  // Rank r has r values, so the first has none.
  const std::vector<double> mine(static_cast<std::size_t>(world().rank()), 0.5 + world().rank());
  const std::vector<double> all = world().gather(std::span<const double>(mine), &counts);
  std::vector<double> expected;
  std::vector<std::int64_t> expectedCounts;
  for (int r = 0; r < size; ++r) {
    expected.insert(expected.end(), static_cast<std::size_t>(r), 0.5 + r);
    expectedCounts.push_back(r);
  }
  EXPECT_EQ(all, expected);
  EXPECT_EQ(counts, expectedCounts);
  EXPECT_EQ(world().gather(world().rank()).size(), static_cast<std::size_t>(size));
}

TEST(Communicator, ReducesInTheOrderOfRanks) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const int size = world().size();
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> exponent(-40.0, 40.0);
  for (const std::size_t length : {0U, 1U, 1024U, 2500U}) {
    std::vector<std::vector<double>> numbers(static_cast<std::size_t>(size), std::vector<double>(length));
    for (std::vector<double>& ofRank : numbers) {
      for (double& number : ofRank) {
        number = std::exp2(exponent(random)) * (random() % 2 == 0 ? 1.0 : -1.0); // sums that depend on the order
      }
    }
    std::vector<double> sum = numbers[0];
    std::vector<double> least = numbers[0];
    std::vector<double> greatest = numbers[0];
    for (std::size_t r = 1; r < numbers.size(); ++r) {
      for (std::size_t k = 0; k < length; ++k) {
        sum[k] += numbers[r][k];
        least[k] = std::min(least[k], numbers[r][k]);
        greatest[k] = std::max(greatest[k], numbers[r][k]);
      }
    }
    for (const auto& [operation, expected] :
      {std::pair{ReduceBy::Sum, sum}, std::pair{ReduceBy::Minimum, least}, std::pair{ReduceBy::Maximum, greatest}}) {
      std::vector<double> mine = numbers[static_cast<std::size_t>(world().rank())];
      world().reduce(operation, std::span<double>(mine));
      EXPECT_EQ(mine, expected); // bit by bit
      mine = numbers[static_cast<std::size_t>(world().rank())];
      world().Communicator::reduce(operation, std::span<double>(mine)); // as communicators without one of their own do
      EXPECT_EQ(mine, expected);
    }
  }
  const std::int64_t big = std::numeric_limits<std::int64_t>::max() / 8 - world().rank();
  EXPECT_EQ(world().reduced(ReduceBy::Minimum, big), std::numeric_limits<std::int64_t>::max() / 8 - (size - 1));
  EXPECT_EQ(world().reduced(ReduceBy::Maximum, big), std::numeric_limits<std::int64_t>::max() / 8);
  EXPECT_EQ(
    world().reduced(ReduceBy::Sum, big), size * (std::numeric_limits<std::int64_t>::max() / 8) - size * (size - 1) / 2);
}

std::vector<std::uint32_t> lettersOf(int from, int to, int turn) {
  std::mt19937 random(static_cast<unsigned>(1 + from + 10 * to + 100 * turn));
  std::vector<std::uint32_t> letters((random() % 4) * (turn == 2 ? 100000U : 10U));
  std::generate(letters.begin(), letters.end(), random);
  return letters;
}

TEST(Communicator, ExchangesMessages) {
  const int me = world().rank();
  const auto first = world().makeExchange();
  const auto second = world().makeExchange();
  for (int turn = 0; turn < 4; ++turn) {
    std::vector<std::vector<std::uint32_t>> sent;
    std::vector<std::vector<std::uint32_t>> received;
    for (int r = 0; r < world().size(); ++r) {
      sent.push_back(lettersOf(me, r, turn));
      received.emplace_back(lettersOf(r, me, turn).size());
    }
    auto both = {std::pair{first.get(), 0}, std::pair{second.get(), 1}};
    for (const auto& [exchange, odd] : both) { // one to ranks of even number, one to the others, both under way at once
      std::vector<OutgoingMessage> sends;
      std::vector<IncomingMessage> receives;
      for (int r = 0; r < world().size(); ++r) {
        const auto k = static_cast<std::size_t>(r);
        if (r != me && (r + me) % 2 == odd) {
          sends.push_back({r, sent[k].data(), sent[k].size() * sizeof(std::uint32_t)});
          receives.push_back({r, received[k].data(), received[k].size() * sizeof(std::uint32_t)});
        }
      }
      exchange->start(sends, receives);
    }
    for (const auto& [exchange, odd] : both) {
      exchange->finish();
    }
    for (int r = 0; r < world().size(); ++r) {
      if (r != me) {
        EXPECT_TRUE(received[static_cast<std::size_t>(r)] == lettersOf(r, me, turn));
      }
    }
  }
}

std::string messageOf(const std::function<void()>& collective) {
  try {
    collective();
  } catch (const Cancelled&) {
    return "cancelled";
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// What all ranks throw where `work` throws on some: at once, and in two steps, again and again.
std::string failureOf(const std::function<void()>& work) {
  const std::string message = messageOf([&] { agree(world(), work); });
  Agreement agreement(world());
  for (int turn = 0; turn < 3; ++turn) {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    agreement.start(failure);
    EXPECT_EQ(messageOf([&] { agreement.finish(); }), message);
    agreement.start();
    EXPECT_EQ(messageOf([&] { agreement.finish(); }), "");
  }
  return message;
}

TEST(Communicator, AgreesOnFailure) {
  const int me = world().rank();
  const int last = world().size() - 1;
  EXPECT_EQ(failureOf([] {}), "");
  const std::string where = last == 0 ? "" : "on rank " + std::to_string(last) + ": ";
  EXPECT_EQ(failureOf([&] {
    if (me == last) {
      throw InvalidArgument("too large");
    }
  }),
    where + "too large");
  EXPECT_EQ(failureOf([] { throw InvalidArgument("too small"); }), "too small");
  for (int bad = 0; bad <= last; ++bad) {
    EXPECT_NE(failureOf([&] {
      if (me == bad) {
        throw InvalidArgument("not here");
      }
    }).find("not here"),
      std::string::npos);
  }
  EXPECT_EQ(failureOf([&] {
    if (me == last) {
      throw Cancelled();
    }
  }),
    "cancelled");
  if (last > 0) {
    EXPECT_EQ(failureOf([&] {
      if (me == 0) {
        throw Cancelled();
      }
      throw std::bad_alloc();
    }),
      "on rank 1: there is not enough memory"); // a failure says more than a stop
  }
}

TEST(Communicator, AgreesOnTheKindOfFailure) {
  const bool isLast = world().rank() == world().size() - 1;
  const auto failing = [&](auto error) {
    agree(world(), [&] {
      if (isLast) {
        throw error;
      }
    });
  };
  EXPECT_THROW(failing(InvalidArgument("too large")), InvalidArgument);
  EXPECT_THROW(failing(CoordinateOverflow("too far")), CoordinateOverflow);
  EXPECT_THROW(failing(Cancelled()), Cancelled);
  EXPECT_THROW(failing(Error("something else")), Error);
}

} // namespace
} // namespace spanwise::testing
