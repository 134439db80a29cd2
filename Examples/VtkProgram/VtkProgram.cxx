// Spanwise in a VTK pipeline: a ball with a hole, written to a file, read back and counted.

#include <vtkNew.h>
#include <vtkSpanwiseIntervalShape.h>
#include <vtkSpanwiseReader.h>
#include <vtkSpanwiseSetAlgebra.h>
#include <vtkSpanwiseWriter.h>
#include <vtkUnstructuredGrid.h>

#include <cstdio>

int main(int argc, char** argv) {
  const char* const file = argc > 1 ? argv[1] : "ball.icsr";

  vtkNew<vtkSpanwiseIntervalShape> ball;
  ball->SetShape(vtkSpanwiseIntervalShape::BALL);
  ball->SetRadius(1.0);
  ball->SetSpacing(0.01, 0.01, 0.01);

  vtkNew<vtkSpanwiseIntervalShape> hole;
  hole->SetShape(vtkSpanwiseIntervalShape::BOX);
  hole->SetCorner(-0.2, -0.2, -2.0);
  hole->SetLengths(0.4, 0.4, 4.0);
  hole->SetSpacing(0.01, 0.01, 0.01);

  vtkNew<vtkSpanwiseSetAlgebra> difference;
  difference->SetOperation(vtkSpanwiseSetAlgebra::DIFFERENCE);
  difference->AddInputConnection(ball->GetOutputPort());
  difference->AddInputConnection(hole->GetOutputPort());

  vtkNew<vtkSpanwiseWriter> writer;
  writer->SetFileName(file);
  writer->SetInputConnection(difference->GetOutputPort());
  if (!writer->Write()) {
    return 1;
  }

  vtkNew<vtkSpanwiseReader> reader;
  reader->SetFileName(file);
  reader->Update();
  vtkUnstructuredGrid* grid = reader->GetOutput();
  const auto cells = static_cast<long long>(grid->GetNumberOfCells());
  std::printf("%lld cells of 0.01^3: a volume of %.4f, in %lu KiB\n", cells, static_cast<double>(cells) * 1e-6,
    grid->GetActualMemorySize());
  return cells > 0 ? 0 : 1;
}
