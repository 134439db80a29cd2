#include "vtkSpanwiseFieldStencil.h"

#include "SpanwiseBridge.h"
#include "SpanwiseCellArray.h"
#include "SpanwiseFieldArrays.h"
#include "SpanwiseInputCells.h"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Stencils.hpp"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <limits>
#include <utility>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseFieldStencil);

namespace {

using Host = HostExecutionSpace;
using Filter = vtkSpanwiseFieldStencil;

struct Settings {
  int stencil;
  int iterations; ///< 1 for what is not iterated
  double relaxation;
  BoundaryPolicy policy;
  double outside;

  /// The components that a result of `components` has.
  [[nodiscard]] int componentsOfResult(int components) const {
    return stencil == Filter::GRADIENT ? 3 : (stencil == Filter::DIVERGENCE ? 1 : components);
  }
  [[nodiscard]] const char* suffix() const {
    static constexpr const char* names[] = {" Laplacian", " Smoothed", " Gradient", " Divergence", " Box Mean"};
    return names[stencil];
  }
};

bool isIterated(int stencil) { return stencil != Filter::GRADIENT && stencil != Filter::DIVERGENCE; }

/// Throws InvalidArgument unless the stencil takes arrays of so many components.
void checkComponents(int stencil, int dimension, const std::string& name, int components) {
  const std::string have = "the array '" + name + "' has " + std::to_string(components) + " components; ";
  if (stencil == Filter::GRADIENT && components != 1) {
    throw InvalidArgument(have + "the gradient is that of an array of one: take one of them out first");
  }
  if (stencil == Filter::DIVERGENCE && components != 3 && components != dimension) {
    throw InvalidArgument(have + "the divergence is that of an array of " + (dimension == 2 ? "2 or 3" : "3"));
  }
  if (isIterated(stencil) && components > maxComponents) {
    throw InvalidArgument(have + "there may be " + std::to_string(maxComponents) + " at most");
  }
}

/// A stencil on the cells of a set, of fields of T.
template <class T, int Dim>
class Computation {
public:
  Computation(const Settings& settings, const HostIntervalSet<Dim>& set, const GridPlacement& placement,
    const Box<Dim>& period, const Progress& progress)
    : settings_(settings), set_(set), outside_(static_cast<T>(settings.outside)), progress_(progress) {
    std::copy_n(placement.spacing, Dim, spacing_.along);
    boundary_.policy = settings.policy;
    boundary_.period = period;
  }

  /// The result on all cells.
  HostField<T> apply(const HostField<T>& in) {
    Workspace<Kokkos::HostSpace> workspace;
    if (settings_.stencil == Filter::BOX_FILTER) {
      buildStencilMap<BoxPattern<Dim>, Host>(host_, set_, boundary_, boxMap_, workspace);
    } else {
      buildStencilMap<FacePattern<Dim>, Host>(host_, set_, boundary_, faceMap_, workspace);
    }
    progress_.report(0.2);
    switch (settings_.stencil) {
    case Filter::GRADIENT: {
      HostField<T> out = undefined(Dim);
      gradient(host_, faceMap_, in, spacing_, outside_, out);
      return out;
    }
    case Filter::DIVERGENCE: {
      HostField<T> out = undefined(1);
      divergence(host_, faceMap_, in, spacing_, outside_, out);
      return out;
    }
    default:
      return iterated(in);
    }
  }

private:
  [[nodiscard]] HostField<T> undefined(int numComponents) const {
    HostField<T> field("result", set_.numCells(), numComponents);
    fill(host_, field, std::numeric_limits<T>::quiet_NaN());
    return field;
  }

  /// The stencil over and over, from one field to the other and back.
  HostField<T> iterated(const HostField<T>& in) {
    HostField<T> from("result", in.numCells(), in.numComponents());
    copyValues(host_, in, from); // `in` may be the input's own array
    HostField<T> to = undefined(in.numComponents());
    if (settings_.stencil == Filter::BOX_FILTER) {
      copyValues(host_, in, to); // what is skipped keeps its value
    }
    const int stepsAtOnce = settings_.stencil == Filter::JACOBI_SMOOTHING ? 16 : 1;
    for (int step = 0; step < settings_.iterations; step += stepsAtOnce) {
      if (settings_.stencil == Filter::JACOBI_SMOOTHING) {
        const int steps = std::min(stepsAtOnce, settings_.iterations - step);
        jacobiSmooth(host_, faceMap_, from, spacing_, settings_.relaxation, steps, outside_, to);
      } else if (settings_.stencil == Filter::LAPLACIAN) {
        if (step > 0 && settings_.policy == BoundaryPolicy::Skip) { // what is skipped has none
          fill(host_, to, std::numeric_limits<T>::quiet_NaN());
        }
        laplacian(host_, faceMap_, from, spacing_, outside_, to);
        std::swap(from, to);
      } else {
        boxFilter(host_, boxMap_, from, outside_, to);
        std::swap(from, to);
      }
      host_.fence();
      progress_.report(0.2 + 0.8 * step / settings_.iterations);
    }
    return from;
  }

  Host host_;
  Settings settings_;
  const HostIntervalSet<Dim>& set_;
  T outside_;
  Progress progress_;
  Spacing<Dim> spacing_{};
  Boundary<Dim> boundary_;
  StencilMap<FacePattern<Dim>, Kokkos::HostSpace> faceMap_;
  StencilMap<BoxPattern<Dim>, Kokkos::HostSpace> boxMap_;
};

/// The result of an array on the cells of a set, in T.
template <class T, int Dim>
vtkSmartPointer<vtkDataArray> resultIn(const Settings& settings, const HostIntervalSet<Dim>& set, vtkDataArray* array,
  const GridPlacement& placement, const Box<Dim>& period, const std::string& name, const Progress& progress) {
  const int components = array->GetNumberOfComponents();
  checkComponents(settings.stencil, Dim, array->GetName(), components);
  const HostField<T> in = fieldOf<T>(array, settings.stencil == Filter::DIVERGENCE ? Dim : components);
  HostField<T> out(name, 0, settings.stencil == Filter::GRADIENT ? Dim : settings.componentsOfResult(components));
  if (!set.empty()) {
    out = Computation<T, Dim>(settings, set, placement, period, progress).apply(in);
  }
  return arrayOf(out, name, settings.componentsOfResult(components));
}

} // namespace

vtkSpanwiseFieldStencil::vtkSpanwiseFieldStencil() {
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, vtkDataSetAttributes::SCALARS);
}

void vtkSpanwiseFieldStencil::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Stencil: " << this->Stencil << "\n";
  os << indent << "Iterations: " << this->Iterations << "\n";
  os << indent << "Relaxation: " << this->Relaxation << "\n";
  os << indent << "BoundaryPolicy: " << this->BoundaryPolicy << "\n";
  os << indent << "BoundaryValue: " << this->BoundaryValue << "\n";
  os << indent << "ResultArrayName: " << this->ResultArrayName << "\n";
}

int vtkSpanwiseFieldStencil::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  return 1;
}

void vtkSpanwiseFieldStencil::MakeOutput(const Team& team, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  const auto check = [](const char* what, int value, int least, int most) {
    if (value < least || value > most) {
      throw InvalidArgument(std::string("the ") + what + " is " + std::to_string(value) + "; it must be in [" +
        std::to_string(least) + ", " + std::to_string(most) + "]");
    }
  };
  check("stencil", this->Stencil, LAPLACIAN, BOX_FILTER);
  check("boundary policy", this->BoundaryPolicy, VALUE, PERIODIC);
  check("number of iterations", this->Iterations, 1, 1000000);
  const Settings settings{this->Stencil, isIterated(this->Stencil) ? this->Iterations : 1, this->Relaxation,
    static_cast<spanwise::BoundaryPolicy>(this->BoundaryPolicy), this->BoundaryValue};

  vtkDataSet* const input = vtkDataSet::GetData(inputs[0], 0);
  const auto progress = progressOf(this);
  int association = vtkDataObject::FIELD_ASSOCIATION_CELLS;
  vtkDataArray* array = input != nullptr ? this->GetInputArrayToProcess(0, inputs, association) : nullptr;
  if (association != vtkDataObject::FIELD_ASSOCIATION_CELLS) {
    array = nullptr;
  }
  const std::string name = nameOfCellArray(team, input, array, this->GetInputArrayInformation(0));
  InputCells read = readCells(team, input, InputValues::All, progress.part(0.0, 0.2));
  std::visit(
    [&]<int Dim>(RankCells<Dim>& cells) {
      // The halo is as wide as a value can reach. Along the slowest axis it also closes the period.
      Box<Dim> period{};
      Halo halo(settings.iterations);
      if (settings.policy == spanwise::BoundaryPolicy::Periodic) {
        period = boundingBoxOfAll<Dim>(team, {&cells.set});
        halo.period = {period.begin[Dim - 1], period.end[Dim - 1]};
        period.end[Dim - 1] = period.begin[Dim - 1];
      }
      const PlaneRange owned = distribute(team, cells, halo);
      team.agree([&] {
        if (cells.values->GetArray(name.c_str()) == nullptr && cells.set.empty()) {
          return; // no rank has cells
        }
        const std::string resultName = this->ResultArrayName.empty() ? name + settings.suffix() : this->ResultArrayName;
        const auto rest = progress.part(0.4, 0.9);
        vtkDataArray* const values = cellArray(cells.values, name);
        const auto result = values->GetDataType() == VTK_FLOAT
          ? resultIn<float, Dim>(settings, cells.set, values, read.placement, period, resultName, rest)
          : resultIn<double, Dim>(settings, cells.set, values, read.placement, period, resultName, rest);
        cells.values->AddArray(result);
        restrictCells(cells, halo.periodic() ? owned.within(halo.period) : owned);
        setCells(output, cells, read.placement, owned);
      });
    },
    read.cells);
  if (input != nullptr) {
    output->GetFieldData()->PassData(input->GetFieldData());
  }
}
