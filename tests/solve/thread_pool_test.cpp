// Work shared by threads: every part is done once, nothing that is thrown is lost, and results do not depend on how
// many they are.
#include <polhode/solve/thread_pool.hpp>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace polhode::pool_test {
namespace {

TEST(ThreadPool, DoesEveryPartOnceInManySmallJobs) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    std::vector<int> done(64);
    long wrong = 0;
    for (int job = 0; job < 20000; ++job) {
      const int parts = job % 65;
      std::fill(done.begin(), done.end(), 0);
      pool.run(parts, [&](int part) { ++done[part]; });
      wrong += std::count(done.begin(), done.begin() + parts, 1) != parts ||
               std::count(done.begin() + parts, done.end(), 0) != 64 - parts;
    }
    EXPECT_EQ(wrong, 0) << threads << " threads";
  }
}

TEST(ThreadPool, WakesUpAfterItSlept) {
  ThreadPool pool(3);
  for (int job = 0; job < 20; ++job) {
    std::atomic<int> sum = 0;
    pool.run(10, [&](int part) { sum += part; });
    EXPECT_EQ(sum, 45);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));  // longer than its patience
  }
}

TEST(ThreadPool, GivesTheExceptionOfTheFirstPartThatThrew) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (int job = 0; job < 200; ++job) {
      std::string said;
      try {
        pool.run(30, [&](int part) {
          if (part % 7 == 3) throw std::runtime_error(std::to_string(part));
        });
      } catch (const std::runtime_error& e) {
        said = e.what();
      }
      EXPECT_EQ(said, "3");
    }
    std::atomic<int> count = 0;  // and it goes on working
    pool.run(30, [&](int) { ++count; });
    EXPECT_EQ(count, 30);
  }
}

TEST(ThreadPool, IsNotWaitedForWhenBusy) {
  ThreadPool pool(2);
  std::atomic<int> count = 0;
  pool.run(4, [&](int) { pool.run(5, [&](int) { ++count; }); });
  EXPECT_EQ(count, 20);

  std::vector<std::thread> callers;
  for (int k = 0; k < 4; ++k)
    callers.emplace_back([&] {
      for (int job = 0; job < 1000; ++job) pool.run(8, [&](int) { ++count; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(count, 20 + 4 * 1000 * 8);
}

TEST(Division, CoversEverythingOnceAndSumsInOneOrder) {
  const int n = 100003;
  std::vector<double> values(n);
  for (int i = 0; i < n; ++i) values[i] = 1.0 / (1 + i * 7919L % n);
  const auto sum = [&](const Division& division) {
    return division.reduce(
        n, 0.0, [&](double& own, int i) { own += values[i]; }, [](double& all, double part) { all += part; });
  };
  const Division undivided;
  EXPECT_EQ(sum(undivided), std::accumulate(values.begin(), values.end(), 0.0));
  for (const int parts : {2, 7, 64}) {
    const Division alone{parts, nullptr};
    EXPECT_NEAR(sum(alone), sum(undivided), 1e-12 * sum(undivided));
    for (const int threads : {2, 3, 8}) {
      ThreadPool pool(threads);
      const Division division{parts, &pool};
      std::vector<int> seen(n, 0);
      division.for_each(n, [&](int i) { ++seen[i]; });
      EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), n);
      for (int k = 0; k < 20; ++k) EXPECT_EQ(sum(division), sum(alone)) << parts << " parts, " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace polhode::pool_test
