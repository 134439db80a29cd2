#ifndef ProgressBar_h
#define ProgressBar_h

#include <chrono>
#include <cstdint>
#include <string>

/// A line on the terminal with what is done, how fast it goes and how long it will take; where standard error is no
/// terminal, a line for each tenth.
class ProgressBar {
public:
  /// A silent one says nothing. `unit` is what a million cells a second are called.
  ProgressBar(bool silent, const char* unit);

  /// `done` is 0 to 1; `cells` were computed up to now; `text` says where it is.
  void show(double done, std::int64_t cells, const std::string& text);
  /// Ends the line.
  void finish();

private:
  using Clock = std::chrono::steady_clock;

  bool silent_;
  const char* unit_;
  bool onTerminal_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_;
  double first_ = -1.0; ///< what was done at first
  std::int64_t firstCells_ = 0;
  int tenths_ = 0;
};

#endif
