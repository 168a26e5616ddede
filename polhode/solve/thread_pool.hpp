// Threads that share the parts of a job, and how a job is divided into parts: by its size alone, so that results do not
// depend on how many threads there are.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace polhode {

/// Some threads, the caller's among them. Those that have nothing to do look around for a moment, then sleep.
class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }

  /// Calls f(part) once for each part, on whichever thread is free, and returns when all are done. If parts throw, the
  /// exception of the first of them in number comes out. A pool that is busy (with a job of another thread, or the one
  /// that f belongs to) is not waited for: the caller does all parts.
  template <class F>
  void run(int parts, F&& f) {
    if (parts < 2 || helpers_.empty() || busy_.exchange(true, std::memory_order_acquire)) {
      for (int part = 0; part < parts; ++part) f(part);
      return;
    }
    share(
        parts, [](void* job, int part) { (*static_cast<std::remove_reference_t<F>*>(job))(part); },
        const_cast<void*>(static_cast<const void*>(&f)));
  }

 private:
  using Call = void (*)(void*, int);

  void share(int parts, Call call, void* job);
  void help();
  bool do_parts();
  void fail(int part);

  std::vector<std::thread> helpers_;
  int patience_ = 0;  ///< how often to look before sleeping
  std::atomic<bool> busy_ = false, stop_ = false;
  std::atomic<std::uint32_t> jobs_ = 0;  ///< given so far; helpers sleep on it
  /// number of the job (32 bits), its parts (16 bits), the next part to be done (16 bits)
  std::atomic<std::uint64_t> ticket_ = 0;
  std::atomic<Call> call_ = nullptr;
  std::atomic<void*> job_ = nullptr;
  std::atomic<int> left_ = 0;  ///< parts that are not done yet; the caller sleeps on it
  std::mutex failing_;
  std::exception_ptr failure_;
  int failed_part_ = 0;
};

/// What whoever runs something lends to it. Results do not depend on it.
struct Resources {
  std::shared_ptr<ThreadPool> pool{};  ///< or none: the caller's thread does everything

  /// A pool of so many threads, if work is divided into parts at all.
  static Resources of(int threads, int parts) {
    return {threads > 1 && parts > 1 ? std::make_shared<ThreadPool>(threads) : nullptr};
  }
};

/// Into how many parts work is divided, and who does it: a pool, or one part after another. Sums and maxima are taken
/// over each part and then over all of them in order: they depend on the number of parts, never on that of threads.
struct Division {
  static constexpr int most = 64;
  int parts = 1;               ///< 1: not divided
  ThreadPool* pool = nullptr;  ///< or none

  /// The number of parts for work on n bodies: each is worth the microsecond that handing it over takes.
  static int parts_for(int n) { return n < 256 ? 1 : n / 128 < most ? n / 128 : most; }

  template <class F>
  void run(int jobs, F&& f) const {
    if (pool) return pool->run(jobs, f);
    for (int job = 0; job < jobs; ++job) f(job);
  }
  /// The first of n things that belongs to a part; those of the part end where the next begins.
  std::int64_t begin(std::int64_t n, int part) const { return n * part / parts; }

  /// f(i) for i from 0 to n - 1.
  template <class F>
  void for_each(int n, F&& f) const {
    const auto range = [&](int first, int end) {  // the only place that calls f: it becomes part of the loop
      for (int i = first; i < end; ++i) f(i);
    };
    if (parts == 1) return range(0, n);
    run(parts, [&](int part) { range(static_cast<int>(begin(n, part)), static_cast<int>(begin(n, part + 1))); });
  }
  /// f(result, i) for i from 0 to n - 1 with a result for each part, then join(result, another) in the order of parts.
  template <class Result, class F, class Join>
  Result reduce(int n, const Result& zero, F&& f, Join&& join) const {
    const auto range = [&](int first, int end) {
      Result own = zero;
      for (int i = first; i < end; ++i) f(own, i);
      return own;
    };
    if (parts == 1) return range(0, n);
    std::array<Result, most> found;
    run(parts,
        [&](int part) { found[part] = range(static_cast<int>(begin(n, part)), static_cast<int>(begin(n, part + 1))); });
    Result all = zero;
    for (int part = 0; part < parts; ++part) join(all, found[part]);
    return all;
  }
};

}  // namespace polhode
