#include "Core/Runtime/Runtime.hpp"
#include "Testing/LittleWork.hpp"
#include "Testing/RankTurns.hpp"

#include <gtest/gtest.h>
#include <vtkMPIController.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>

#include <string>

// With --together on all ranks alone, not on fewer.
int main(int argc, char** argv) {
  vtkNew<vtkMPIController> controller;
  controller->Initialize(&argc, &argv);
  vtkMultiProcessController::SetGlobalController(controller);
  testing::InitGoogleTest(&argc, argv);
  spanwise::startRuntime();
  spanwise::testing::restoreLittleWork();
  const int rank = controller->GetLocalProcessId();
  const auto split = [&](bool isIn) {
    return vtkSmartPointer<vtkMultiProcessController>::Take(controller->PartitionController(isIn ? 0 : 1, rank));
  };
  int failed = 0;
  if (argc > 1 && std::string(argv[1]) == "--together") {
    testing::GTEST_FLAG(brief) = rank != 0;
    failed = RUN_ALL_TESTS();
  } else {
    failed = spanwise::testing::runInTurns(rank, controller->GetNumberOfProcesses(), split,
      [](vtkMultiProcessController* ranks) { vtkMultiProcessController::SetGlobalController(ranks); });
  }
  vtkMultiProcessController::SetGlobalController(nullptr);
  controller->Finalize();
  return failed;
}
