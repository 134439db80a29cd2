// Arrival times and paths on grids and images that ranks share.

#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseEikonalArrivalTime.h"
#include "vtkSpanwiseEikonalPaths.h"

#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <cmath>
#include <map>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseEikonalArrivalTime;

/// A disk or a ball with a wall in it, whose rows are dealt out to pieces in turn; with speeds, tensors and marks.
template <int Dim>
vtkSmartPointer<StepSource> cellsInTurn(int only = -1) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  source->fill = [source = source.Get(), only](double /*time*/, vtkDataObject* output) {
    constexpr Coordinate r = Dim == 2 ? 20 : 7;
    CellList<Dim> cells;
    for (const Cell<Dim>& cell : allCells<Dim>(-r, r)) {
      double squared = 0.0;
      for (const Coordinate x : cell.at) {
        squared += (x + 0.5) * (x + 0.5);
      }
      const Coordinate plane = cell.at[Dim - 1] + r;
      const bool isMine =
        source->pieces == 1 || (only >= 0 ? source->piece == only : plane % source->pieces == source->piece);
      const bool isWall = cell.at[Dim - 1] == 1 && cell.at[0] < 2;
      if (squared < r * r && isMine && !isWall) {
        cells.insert(cells.end(), cell);
      }
    }
    const auto grid = gridOfCells<Dim>(cells, {{0.0, 0.0, 0.0}, {0.5, 0.25, 0.5}, 0});
    grid->GetCellData()->RemoveArray("number"); // counts from 0 on each rank
    vtkNew<vtkDoubleArray> speeds;
    speeds->SetName("c");
    vtkNew<vtkDoubleArray> tensors;
    tensors->SetName("m");
    tensors->SetNumberOfComponents(6);
    vtkNew<vtkDoubleArray> marks;
    marks->SetName("marks");
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      double b[6];
      grid->GetCellBounds(c, b);
      speeds->InsertNextValue(1.0 + 0.1 * std::sin(b[0]) + 0.05 * b[2]);
      const double tensor[6] = {2.0 + 0.1 * b[0], 1.5, 1.2, 0.7, 0.1, 0.2};
      tensors->InsertNextTuple(tensor);
      marks->InsertNextValue(std::abs(b[0] - 3.0) < 0.1 && std::abs(b[2] - 0.5) < 0.1 ? 1.0 : 0.0);
    }
    grid->GetCellData()->AddArray(speeds);
    grid->GetCellData()->AddArray(tensors);
    grid->GetCellData()->AddArray(marks);
    output->ShallowCopy(grid);
  };
  return source;
}

/// An image in pieces with a plane of cells more on both sides, which are marked as others'.
template <int Dim>
vtkSmartPointer<StepSource> imagePieces() {
  auto source = vtkSmartPointer<StepSource>::New();
  source->fill = [source = source.Get()](double /*time*/, vtkDataObject* output) {
    constexpr int n = Dim == 2 ? 24 : 10;
    const int begin = n * source->piece / source->pieces;
    const int end = n * (source->piece + 1) / source->pieces;
    const int low = std::max(begin - 1, 0);
    const int high = std::min(end + 1, n);
    auto* image = vtkImageData::SafeDownCast(output);
    if (Dim == 2) {
      image->SetExtent(0, n, low, high, 0, 0);
    } else {
      image->SetExtent(0, n, 0, n, low, high);
    }
    image->SetSpacing(0.5, 0.25, 0.5);
    image->AllocateCellGhostArray();
    const vtkIdType perPlane = Dim == 2 ? n : n * n;
    for (vtkIdType c = 0; c < image->GetNumberOfCells(); ++c) {
      const vtkIdType plane = low + c / perPlane;
      const bool isOthers = plane < begin || plane >= end;
      const bool isHidden = plane == n / 2 && c % n < n / 2;
      image->GetCellGhostArray()->SetValue(
        c, (isOthers ? vtkDataSetAttributes::DUPLICATECELL : 0) | (isHidden ? vtkDataSetAttributes::HIDDENCELL : 0));
    }
    vtkNew<vtkDoubleArray> speeds;
    speeds->SetName("c");
    for (vtkIdType p = 0; p < image->GetNumberOfPoints(); ++p) {
      double at[3];
      image->GetPoint(p, at);
      speeds->InsertNextValue(1.0 + 0.1 * at[0] + 0.02 * at[1]);
    }
    image->GetPointData()->AddArray(speeds);
  };
  const int n = Dim == 2 ? 24 : 10;
  source->wholeExtent = {0, n, 0, n, 0, Dim == 3 ? n : 0};
  return source;
}

void prepare(Filter* filter, vtkMultiProcessController* controller) {
  filter->SetController(controller);
  filter->ComputeGradientOn();
  filter->ComputeNearestSourceOn();
}

template <int Dim>
void expectOnGrid(const std::function<void(Filter*)>& change) {
  const auto make = [&](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<Filter>::New();
    prepare(filter, controller);
    filter->SetInputConnection(cellsInTurn<Dim>()->GetOutputPort());
    filter->SetSourcePoint(0, 1.3, -0.7, Dim == 3 ? 0.3 : 0.0);
    filter->SetSourcePoint(1, -2.1, 0.9, Dim == 3 ? 1.0 : 0.0); // on a face where ranks may meet
    change(filter);
    return filter;
  };
  expectSameAsAlone(make, Balance::Any); // planes of a ball are few and unlike
}

TEST(GridArrivals, AreThoseOfOneRank) {
  for (const int order : {1, 2}) {
    const auto speeds = [order](Filter* filter) {
      filter->SetOrder(order);
      filter->SetSpeedKind(Filter::SPEED_ARRAY);
      filter->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "c");
    };
    const auto tensors = [order](Filter* filter) {
      filter->SetOrder(order);
      filter->SetSpeedKind(Filter::SPEED_ARRAY);
      filter->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "m");
    };
    expectOnGrid<2>(speeds);
    expectOnGrid<3>(speeds);
    expectOnGrid<2>(tensors);
    expectOnGrid<3>(tensors);
  }
  expectOnGrid<2>([](Filter* filter) { filter->PeriodicXOn(); });
  expectOnGrid<3>([](Filter* filter) {
    filter->PeriodicZOn();
    filter->SetReach(3.0);
    filter->SetSourcePoint(0, 5.0, 0.0, 0.0); // beside all cells
  });
}

TEST(GridArrivals, SayWhatTheySent) {
  for (const auto& source : {cellsInTurn<2>(), cellsInTurn<3>(), imagePieces<2>(), imagePieces<3>()}) {
    vtkNew<Filter> filter;
    prepare(filter, world());
    filter->SetInputConnection(source->GetOutputPort());
    filter->SetSourcePoint(0, 1.3, 0.7, 0.3 * source->wholeExtent[5]);
    filter->SetReach(1.0);
    vtkDataObject* const mine = updateTogether(filter.Get());
    expectSent(mine, mine->GetNumberOfElements(vtkDataObject::CELL));
  }
}

TEST(GridArrivals, CellsOfAnySourcesStart) {
  const auto marks = [](Filter* filter) {
    filter->SetSources(Filter::SOURCE_ARRAY);
    filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "marks");
    filter->ComputeNearestSourceOff(); // numbers are those of the pieces' cells
  };
  expectOnGrid<2>(marks);
  expectOnGrid<3>(marks);
  const auto second = [](Filter* filter) {
    auto source = vtkSmartPointer<StepSource>::New();
    source->type = "vtkUnstructuredGrid";
    source->fill = [source = source.Get()](double /*time*/, vtkDataObject* output) {
      CellList<2> cells; // each piece has some, not where its part of the grid is
      for (Coordinate k = source->piece; k < 6; k += source->pieces) {
        cells.insert(Cell<2>{{3 * k - 8, 8 - 3 * k}});
      }
      const auto grid = gridOfCells<2>(cells, {{0.0, 0.0, 0.0}, {0.5, 0.25, 0.5}, 0});
      vtkNew<vtkDoubleArray> late;
      late->SetName("late");
      for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
        double b[6];
        grid->GetCellBounds(c, b);
        late->InsertNextValue(0.1 * (b[0] + 5.0));
      }
      grid->GetCellData()->AddArray(late);
      output->ShallowCopy(grid);
    };
    filter->SetSources(Filter::CELLS);
    filter->SetSourceConnection(source->GetOutputPort());
    filter->SetSourceTimes("late");
    filter->ComputeNearestSourceOff();
  };
  expectOnGrid<2>(second);
}

/// A surface of which each rank has some: triangles, in 2D also lines in the plane.
template <int Dim>
vtkSmartPointer<StepSource> surfaceInTurn() {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkPolyData";
  source->fill = [source = source.Get()](double /*time*/, vtkDataObject* output) {
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    vtkNew<vtkCellArray> polygons;
    vtkNew<vtkCellArray> lines;
    vtkNew<vtkDoubleArray> late;
    late->SetName("late");
    for (int k = source->piece; k < 8; k += source->pieces) {
      const double x = 0.8 * k - 3.0;
      const vtkIdType first = points->InsertNextPoint(x, -1.0, -1.5);
      points->InsertNextPoint(x + 0.9, 0.2 * k - 0.6, 1.6);
      points->InsertNextPoint(x - 0.3, 0.7, 0.4);
      const vtkIdType corners[3] = {first, first + 1, first + 2};
      polygons->InsertNextCell(3, corners);
    }
    for (int k = source->piece; Dim == 2 && k < 3; k += source->pieces) {
      const vtkIdType first = points->InsertNextPoint(k - 2.0, -1.4, 0.0);
      points->InsertNextPoint(k - 1.6, -1.1, 0.0);
      const vtkIdType ends[2] = {first, first + 1};
      lines->InsertNextCell(2, ends);
    }
    for (vtkIdType cell = 0; cell < polygons->GetNumberOfCells() + lines->GetNumberOfCells(); ++cell) {
      late->InsertNextValue(0.3);
    }
    auto* surface = vtkPolyData::SafeDownCast(output);
    surface->SetPoints(points);
    surface->SetPolys(polygons);
    surface->SetLines(lines);
    surface->GetCellData()->AddArray(late);
  };
  return source;
}

TEST(GridArrivals, SurfacesOfAllRanksStart) {
  for (const int order : {1, 2}) {
    const auto surface = [order](const char* speeds, auto source) {
      return [order, speeds, source](Filter* filter) {
        filter->SetOrder(order);
        filter->SetSources(Filter::SURFACE);
        filter->SetSourceConnection(source->GetOutputPort());
        filter->SetSourceTimes("late");
        filter->SetSpeedKind(Filter::SPEED_ARRAY);
        filter->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, speeds);
        filter->ComputeNearestSourceOff(); // numbers are those of the pieces' triangles
      };
    };
    for (const char* speeds : {"c", "m"}) {
      expectOnGrid<2>([&](Filter* filter) { surface(speeds, surfaceInTurn<2>())(filter); });
      expectOnGrid<3>([&](Filter* filter) { surface(speeds, surfaceInTurn<3>())(filter); });
    }
  }
  expectOnGrid<3>([](Filter* filter) {
    filter->SetSources(Filter::SURFACE);
    filter->SetSourceConnection(surfaceInTurn<3>()->GetOutputPort());
    filter->PeriodicZOn();
    filter->PeriodicXOn();
    filter->ComputeNearestSourceOff();
  });
}

TEST(GridArrivals, StopWhereTheWholeGridStops) {
  for (const int order : {1, 2}) {
    const auto stop = [order](Filter* filter) {
      filter->SetOrder(order);
      filter->SetStopRegion("marks");
    };
    expectOnGrid<2>(stop);
    expectOnGrid<3>(stop);
  }
}

TEST(GridArrivals, OfAGridThatOneRankHas) {
  const int last = world()->GetNumberOfProcesses() - 1;
  const auto make = [&](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<Filter>::New();
    prepare(filter, controller);
    filter->SetInputConnection(cellsInTurn<2>(last)->GetOutputPort());
    filter->SetSourcePoint(0, 1.3, -0.7, 0.0);
    return filter;
  };
  expectSameAsAlone(make);
}

/// Values at the places of cells, those that others own left out.
using Values = std::map<std::array<long long, 3>, std::array<double, 5>>;

Values valuesOf(vtkDataSet* data, bool all) {
  Values values;
  vtkCellData* const arrays = data->GetCellData();
  vtkUnsignedCharArray* const ghosts = data->GetCellGhostArray();
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    if (all || (ghosts->GetValue(c) & vtkDataSetAttributes::DUPLICATECELL) == 0) {
      values[placeOfCell(data, c)] = {arrays->GetArray("Arrival Time")->GetComponent(c, 0),
        arrays->GetArray("Nearest Source")->GetComponent(c, 0), arrays->GetArray("Gradient")->GetComponent(c, 0),
        arrays->GetArray("Gradient")->GetComponent(c, 1), arrays->GetArray("Gradient")->GetComponent(c, 2)};
    }
  }
  return values;
}

template <int Dim>
void expectOnImage() {
  const auto make = [](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<Filter>::New();
    prepare(filter, controller);
    filter->SetInputConnection(imagePieces<Dim>()->GetOutputPort());
    filter->SetSourcePoint(0, 2.3, 0.4, Dim == 3 ? 1.1 : 0.0);
    filter->SetSourcePoint(1, 4.4, 2.1, Dim == 3 ? 4.2 : 0.0);
    filter->SetSpeedKind(Filter::SPEED_ARRAY);
    filter->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "c");
    filter->SetOrder(2);
    return filter;
  };
  const auto alone = make(nullptr);
  alone->Update();
  const Values expected = valuesOf(alone->GetDataSetOutput(), true);
  ASSERT_GT(expected.size(), 100U);
  const auto shared = make(world());
  auto* const mine = vtkImageData::SafeDownCast(updateTogether(shared.Get()));
  EXPECT_NE(mine, nullptr); // no return: other ranks wait for this one
  std::int64_t differ = 0;
  const Values found = mine != nullptr ? valuesOf(mine, true) : Values(); // others' cells have values, too
  for (const auto& [place, values] : found) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      differ += bitsOf(values[k]) == bitsOf(expected.at(place)[k]) ? 0 : 1;
    }
  }
  EXPECT_EQ(differ, 0);
  const auto own = mine != nullptr ? std::ssize(valuesOf(mine, false)) : 0;
  EXPECT_EQ(everybody().sum(own), std::ssize(expected));
}

TEST(GridArrivals, ImagesStayInTheirPieces) {
  expectOnImage<2>();
  expectOnImage<3>();
}

/// The points of each path, by its seed.
std::map<double, std::vector<std::array<double, 4>>> pathsOf(vtkPolyData* data) {
  std::map<double, std::vector<std::array<double, 4>>> paths;
  vtkNew<vtkIdList> ids;
  for (vtkIdType line = 0; line < data->GetNumberOfLines(); ++line) {
    data->GetCellPoints(line, ids);
    auto& path = paths[data->GetCellData()->GetArray("Seed")->GetComponent(line, 0)];
    for (vtkIdType k = 0; k < ids->GetNumberOfIds(); ++k) {
      double at[3];
      data->GetPoint(ids->GetId(k), at);
      path.push_back(
        {at[0], at[1], at[2], data->GetPointData()->GetArray("Arrival Time")->GetComponent(ids->GetId(k), 0)});
    }
    path.push_back({data->GetCellData()->GetArray("Source")->GetComponent(line, 0), 0.0, 0.0, 0.0});
  }
  return paths;
}

template <int Dim>
void expectPaths() {
  const auto make = [](vtkMultiProcessController* controller, Filter* arrival) {
    prepare(arrival, controller);
    arrival->SetInputConnection(cellsInTurn<Dim>()->GetOutputPort());
    arrival->SetSourcePoint(0, 1.3, -0.7, Dim == 3 ? 0.3 : 0.0);
    arrival->SetSourcePoint(1, -2.1, 0.9, Dim == 3 ? 1.0 : 0.0);
    auto filter = vtkSmartPointer<vtkSpanwiseEikonalPaths>::New();
    filter->SetController(controller);
    filter->SetInputConnection(arrival->GetOutputPort());
    for (int k = 0; k < 9; ++k) {
      filter->SetSeedPoint(k, 2.5 * std::cos(k), 1.2 * std::sin(k), Dim == 3 ? 0.2 * k - 0.9 : 0.0);
    }
    filter->SetSeedPoint(9, 50.0, 0.0, 0.0); // nowhere
    return filter;
  };
  vtkNew<Filter> arrivalAlone;
  const auto alone = make(nullptr, arrivalAlone);
  alone->Update();
  const auto expected = pathsOf(alone->GetOutput());
  ASSERT_GT(expected.size(), 6U);
  vtkNew<Filter> arrivalShared;
  const auto shared = make(world(), arrivalShared);
  auto* const mine = vtkPolyData::SafeDownCast(updateTogether(shared.Get()));
  const auto found = pathsOf(mine);
  for (const auto& [seed, path] : found) {
    EXPECT_EQ(path, expected.at(seed)) << "seed " << seed;
  }
  EXPECT_EQ(everybody().sum(std::ssize(found)), std::ssize(expected));
  EXPECT_EQ(mine->GetFieldData()->GetArray("Seeds Without Path")->GetComponent(0, 0),
    alone->GetOutput()->GetFieldData()->GetArray("Seeds Without Path")->GetComponent(0, 0));
}

TEST(GridArrivals, PathsAreThoseOfOneRank) {
  expectPaths<2>();
  expectPaths<3>();
}

// Most ranks have nothing of the grid where it comes from, and seeds are on the last rank alone.
TEST(GridArrivals, PathsFromSeedsOfOneRank) {
  vtkNew<Filter> arrival;
  arrival->SetController(world());
  arrival->SetInputConnection(cellsInTurn<2>(0)->GetOutputPort());
  arrival->SetSourcePoint(0, 1.3, -0.7, 0.0);
  vtkNew<vtkSpanwiseEikonalPaths> filter;
  filter->SetController(world());
  filter->SetInputConnection(arrival->GetOutputPort());
  auto seeds = vtkSmartPointer<StepSource>::New();
  seeds->type = "vtkPolyData";
  seeds->fill = [seeds = seeds.Get()](double /*time*/, vtkDataObject* output) {
    vtkNew<vtkPoints> points;
    for (int k = 0; k < (seeds->piece + 1 == seeds->pieces ? 4 : 0); ++k) {
      points->InsertNextPoint(2.0 * std::cos(k), std::sin(k), 0.0);
    }
    vtkPolyData::SafeDownCast(output)->SetPoints(points);
  };
  filter->SetSeeds(vtkSpanwiseEikonalPaths::POINTS);
  filter->SetSeedConnection(seeds->GetOutputPort());
  Messages messages;
  auto* const mine = vtkPolyData::SafeDownCast(updateTogether(filter.Get()));
  EXPECT_TRUE(messages.all().empty()) << messages.all().front();
  EXPECT_EQ(everybody().sum(mine->GetNumberOfLines()), 4);
}

TEST(GridArrivals, SayWhatIsWrongOnce) {
  vtkNew<Filter> filter;
  filter->SetController(world());
  filter->SetInputConnection(cellsInTurn<2>()->GetOutputPort());
  filter->SetSourcePoint(0, 40.0, 0.0, 0.0);
  Messages messages;
  vtkDataObject* const mine = updateTogether(filter.Get());
  EXPECT_EQ(mine->GetNumberOfElements(vtkDataObject::CELL), 0);
  ASSERT_EQ(messages.all().size(), world()->GetLocalProcessId() == 0 ? 1U : 0U);
  if (!messages.all().empty()) {
    EXPECT_NE(messages.all()[0].find("source point 0 at (40, 0, 0) is outside of the grid"), std::string::npos)
      << messages.all()[0];
  }
}

} // namespace
} // namespace spanwise::testing
