#ifndef ProgramRanks_h
#define ProgramRanks_h

#include "SpanwiseRankGroup.h"

#include <vtkMultiProcessController.h>
#include <vtkSmartPointer.h>

#include <functional>

/// The ranks of a program for the command line, from its start to its end: make one first in main().
class ProgramRanks {
public:
  /// Takes MPI's own arguments away.
  ProgramRanks(int& argc, char**& argv);
  ~ProgramRanks();
  ProgramRanks(const ProgramRanks&) = delete;
  ProgramRanks& operator=(const ProgramRanks&) = delete;

  /// Whether this is the rank that speaks to the user.
  [[nodiscard]] bool isFirst() const;
  [[nodiscard]] vtkMultiProcessController* controller() const { return controller_; }

  /// Collective. Starts Kokkos, and runs `work`; from then on Ctrl-C asks for the end (isInterrupted()). What it throws
  /// becomes one message on standard error, after the program's name. The exit code.
  int run(const char* program, const std::function<void(const spanwise::RankGroup&)>& work) const;

private:
  vtkSmartPointer<vtkMultiProcessController> controller_;
};

/// Collective. Whether any rank was asked to end, by Ctrl-C or SIGTERM.
bool isInterrupted(const spanwise::RankGroup& group);

#endif
