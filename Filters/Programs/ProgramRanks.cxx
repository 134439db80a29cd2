#include "ProgramRanks.h"

#include "Core/Runtime/Runtime.hpp"

#ifdef SPANWISE_PROGRAMS_ON_RANKS
#include <vtkMPIController.h>
#else
#include <vtkDummyController.h>
#endif

#include <csignal>
#include <cstdio>
#include <exception>

using namespace spanwise;

namespace {

volatile std::sig_atomic_t wasInterrupted = 0;

} // namespace

ProgramRanks::ProgramRanks(int& argc, char**& argv) {
#ifdef SPANWISE_PROGRAMS_ON_RANKS
  controller_ = vtkSmartPointer<vtkMPIController>::New();
#else
  controller_ = vtkSmartPointer<vtkDummyController>::New();
#endif
  controller_->Initialize(&argc, &argv);
  vtkMultiProcessController::SetGlobalController(controller_);
}

ProgramRanks::~ProgramRanks() {
  vtkMultiProcessController::SetGlobalController(nullptr);
  controller_->Finalize();
}

bool ProgramRanks::isFirst() const { return controller_->GetLocalProcessId() == 0; }

int ProgramRanks::run(const char* program, const std::function<void(const RankGroup&)>& work) const {
  std::signal(SIGINT, [](int) { wasInterrupted = 1; });
  std::signal(SIGTERM, [](int) { wasInterrupted = 1; });
  try {
    const RankGroup group = RankGroup::ofAll(controller_);
    group.agree(startRuntime);
    work(group);
  } catch (const std::exception& error) {
    if (isFirst()) {
      std::fprintf(stderr, "%s: %s\n", program, error.what());
    }
    return 1;
  }
  return 0;
}

bool isInterrupted(const RankGroup& group) { return group.maximum(wasInterrupted) != 0; }
