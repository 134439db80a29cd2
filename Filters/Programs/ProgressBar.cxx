#include "ProgressBar.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <format>

ProgressBar::ProgressBar(bool silent, const char* unit)
  : silent_(silent), unit_(unit), onTerminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressBar::show(double done, std::int64_t cells, const std::string& text) {
  if (silent_) {
    return;
  }
  const auto now = Clock::now();
  if (first_ < 0.0) {
    first_ = done;
    firstCells_ = cells;
    begin_ = now;
  }
  const int tenths = static_cast<int>(10.0 * done + 1e-9);
  const bool isDue = onTerminal_ ? now - shown_ > std::chrono::milliseconds(200) || done >= 1.0 : tenths > tenths_;
  if (!isDue) {
    return;
  }
  shown_ = now;
  tenths_ = tenths;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const double share = done - first_;
  const std::string left = share > 0.0 && seconds > 0.0 ? [&] {
    const auto all = static_cast<long>(std::lround(seconds * (1.0 - done) / share));
    return std::format("{}:{:02}:{:02} left", all / 3600, all / 60 % 60, all % 60);
  }()
                                                        : std::string("starting");
  const double rate = seconds > 0.0 ? 1e-6 * static_cast<double>(cells - firstCells_) / seconds : 0.0;
  constexpr int width = 24;
  const int filled = std::clamp(static_cast<int>(width * done), 0, width);
  const std::string bar =
    std::string(static_cast<std::size_t>(filled), '#') + std::string(static_cast<std::size_t>(width - filled), '.');
  const std::string line = std::format("[{}] {:3.0f} %  {}  {:.1f} {}  {}", bar, 100.0 * done, text, rate, unit_, left);
  std::fprintf(stderr, onTerminal_ ? "\r%-100s" : "%s\n", line.c_str());
  std::fflush(stderr);
}

void ProgressBar::finish() {
  if (!silent_ && onTerminal_ && first_ >= 0.0) {
    std::fputc('\n', stderr);
  }
}
