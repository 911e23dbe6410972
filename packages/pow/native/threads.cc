#include "threads.h"

#include <utility>

namespace monero {

void Threads::run(std::function<void()> work) {
  std::lock_guard<std::mutex> guard(mutex_);
  waiting_.push_back(std::move(work));
  if (waiting_.size() > idle_) {
    try {
      threads_.emplace_back([this] { loop(); });
    } catch (...) {
      waiting_.pop_back();
      throw;
    }
  }
  wake_.notify_one();
}

void Threads::loop() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    while (waiting_.empty()) {
      if (stopping_) return;
      idle_++;
      wake_.wait(lock);
      idle_--;
    }
    std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
  }
}

void Threads::stop() {
  {
    std::lock_guard<std::mutex> guard(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace monero
