#include <polhode/solve/thread_pool.hpp>

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace polhode {
namespace {

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

constexpr std::uint64_t parts_of(std::uint64_t ticket) { return ticket >> 16 & 0xffff; }
constexpr std::uint64_t next_of(std::uint64_t ticket) { return ticket & 0xffff; }

}  // namespace

ThreadPool::ThreadPool(int threads) {
  // looking around takes time from others if there are not enough processors; else some 50 to 200 microseconds, more
  // than the time between the jobs of a step
  if (threads <= static_cast<int>(std::thread::hardware_concurrency())) patience_ = 5000;
  try {
    for (int k = 1; k < threads; ++k) helpers_.emplace_back([this] { help(); });
  } catch (const std::exception& error) {  // a thread that nobody waits for would end the program
    const std::size_t started = helpers_.size() + 1;
    stop_ = true;
    ++jobs_;
    jobs_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
    throw std::runtime_error(fmt::format("threads: the system lets only {} of {} start ({}); ask for fewer threads",
                                         started, threads, error.what()));
  }
}

ThreadPool::~ThreadPool() {
  stop_ = true;
  ++jobs_;
  jobs_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void ThreadPool::share(int parts, Call call, void* job) {
  failure_ = nullptr;
  call_.store(call, std::memory_order_relaxed);
  job_.store(job, std::memory_order_relaxed);
  left_.store(parts, std::memory_order_relaxed);
  const std::uint64_t number = jobs_.load(std::memory_order_relaxed) + 1;
  ticket_.store(number << 32 | static_cast<std::uint64_t>(parts) << 16, std::memory_order_release);
  ++jobs_;
  jobs_.notify_all();
  do_parts();
  int left = left_.load(std::memory_order_acquire);
  for (int k = 0; left > 0 && k < patience_; left = left_.load(std::memory_order_acquire), ++k) pause();
  for (; left > 0; left = left_.load(std::memory_order_acquire)) left_.wait(left);
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  busy_.store(false, std::memory_order_release);
  if (failure) std::rethrow_exception(failure);
}

/// Does parts of the present job until none is left to be taken. False if there was none.
bool ThreadPool::do_parts() {
  bool any = false;
  for (;;) {
    std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
    if (next_of(ticket) >= parts_of(ticket)) return any;
    // read before the part is taken: if it can be, then the job has not ended in between, and these are its own
    const Call call = call_.load(std::memory_order_relaxed);
    void* const job = job_.load(std::memory_order_relaxed);
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
    any = true;
    const int part = static_cast<int>(next_of(ticket));
    try {
      call(job, part);
    } catch (...) {
      fail(part);
    }
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
  }
}

void ThreadPool::fail(int part) {
  const std::lock_guard lock(failing_);
  if (failure_ && failed_part_ < part) return;
  failure_ = std::current_exception();
  failed_part_ = part;
}

void ThreadPool::help() {
  for (int looks = 0; !stop_;) {
    const std::uint32_t jobs = jobs_.load(std::memory_order_acquire);
    if (do_parts()) {
      looks = 0;
    } else if (++looks < patience_) {
      pause();
    } else if (!stop_) {
      jobs_.wait(jobs);
      looks = 0;
    }
  }
}

}  // namespace polhode
