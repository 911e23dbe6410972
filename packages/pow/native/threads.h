// Threads that are made when there is more work than idle ones and end with their owner. Work is never queued behind
// other work: callers bound how much of it is under way. libuv's pool is left to files and storage.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Threads {
 public:
  Threads() = default;
  ~Threads() { stop(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  // Throws std::system_error when a thread is needed and cannot be made.
  void run(std::function<void()> work);
  // Returns when all work is done.
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
