// Threads that are started when there is more work than idle threads, and that end with their
// owner. Work never waits for other work: callers bound the number of jobs. libuv's pool stays free
// for files and storage.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace monero {

class Threads {
 public:
  Threads() = default;
  ~Threads() { stop(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  /** Throws std::system_error when a new thread is needed and cannot be started. */
  void run(std::function<void()> work);
  /** Returns when all work is done. */
  void stop();

 private:
  void loop();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  size_t idle_ = 0;
  bool stopping_ = false;
};

}  // namespace monero
