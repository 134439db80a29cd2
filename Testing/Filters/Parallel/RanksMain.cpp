#include "Core/Runtime/Runtime.hpp"

#include <gtest/gtest.h>
#include <vtkMPIController.h>
#include <vtkNew.h>

// Every rank runs the same tests; a failure on any of them fails all. Rank 0 tells how it goes, the others what failed.
int main(int argc, char** argv) {
  vtkNew<vtkMPIController> controller;
  controller->Initialize(&argc, &argv);
  vtkMultiProcessController::SetGlobalController(controller);
  testing::GTEST_FLAG(brief) = controller->GetLocalProcessId() != 0;
  testing::InitGoogleTest(&argc, argv);
  spanwise::startRuntime();
  const int failed = RUN_ALL_TESTS();
  vtkMultiProcessController::SetGlobalController(nullptr);
  controller->Finalize();
  return failed;
}
