#include "vtkSpanwiseFieldStencil.h"

#include "SpanwiseBridge.h"
#include "SpanwiseCellArray.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseFieldArrays.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseOneGrid.h"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/RankStencil.hpp"
#include "Core/Field/Stencils.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/CountText.hpp"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

using namespace spanwise::field;
using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseFieldStencil);

namespace {

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
  const std::string have = "the array '" + name + "' has " + countText(components, "component") + "; ";
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

/// The cells that a stencil is applied to, and how their halo gets its values.
template <class Space, int Dim>
struct Domain {
  const RankGroup& group;
  const IntervalSetOn<Dim, Space>& set; ///< with the halo
  GridGeometry<Dim> grid;
  Box<Dim> period;
  HaloExchange<Space>* exchange; ///< between two iterations; null where nothing is to be exchanged
};

/// A stencil on fields of T. All functions are collective.
template <class Space, class T, int Dim>
class Computation {
public:
  using Field = FieldOn<T, Space>;
  using Domain = ::Domain<Space, Dim>;

  Computation(const Settings& settings, const Domain& domain, const Progress& progress)
    : settings_(settings), domain_(domain), outside_(static_cast<T>(settings.outside)), progress_(progress) {}

  /// The result on all cells; of no use in the halo.
  Field apply(const Field& in) {
    if (settings_.stencil == Filter::BOX_FILTER) {
      return applyWith<BoxPattern<Dim>>(in);
    }
    return applyWith<FacePattern<Dim>>(in);
  }

private:
  template <class Pattern>
  Field applyWith(const Field& in) {
    RankStencilMap<Pattern, typename Space::memory_space> map;
    Field out;
    domain_.group.agree([&] {
      buildMap(map);
      progress_.report(0.2);
      if constexpr (std::is_same_v<Pattern, FacePattern<Dim>>) {
        if (settings_.stencil == Filter::GRADIENT) {
          out = undefined(Dim);
          gradient(context_, map.inner, in, domain_.grid, outside_, out);
        } else if (settings_.stencil == Filter::DIVERGENCE) {
          out = undefined(1);
          divergence(context_, map.inner, in, domain_.grid, outside_, out);
        }
      }
    });
    return isIterated(settings_.stencil) ? iterated(map, in) : out;
  }

  /// With values from other ranks the own cells alone, the inner ones first; otherwise all.
  template <class Pattern>
  void buildMap(RankStencilMap<Pattern, typename Space::memory_space>& map) {
    const Boundary<Dim> boundary{settings_.policy, domain_.period};
    if (domain_.exchange != nullptr) {
      buildRankStencilMap<Pattern, Space>(context_, domain_.set, boundary, domain_.exchange->plan(), map);
    } else {
      buildStencilMap<Pattern, Space>(context_, domain_.set, boundary, map.inner);
    }
  }

  /// Cells that the stencil skips have no value, nor has the halo.
  [[nodiscard]] Field undefined(int numComponents) const {
    Field field("result", domain_.set.numCells(), numComponents);
    if (settings_.policy == BoundaryPolicy::Skip || domain_.exchange != nullptr) {
      fill(context_, field, std::numeric_limits<T>::quiet_NaN());
    }
    return field;
  }

  /// For the result of an iteration.
  [[nodiscard]] Field room(const Field& in) const {
    Field field = undefined(in.numComponents());
    if (settings_.stencil != Filter::LAPLACIAN && settings_.policy == BoundaryPolicy::Skip) {
      copyValues(context_, in, field); // what is skipped keeps its value
    }
    return field;
  }

  template <class Map>
  void step(const Context<Space>& context, const Map& cells, const Field& from, Field& to) const {
    if constexpr (std::is_same_v<Map, StencilMapOn<BoxPattern<Dim>, Space>>) {
      boxFilter(context, cells, from, outside_, to);
    } else if (settings_.stencil == Filter::JACOBI_SMOOTHING) {
      jacobiStep(context, cells, from, {domain_.grid, settings_.relaxation}, outside_, to);
    } else {
      laplacian(context, cells, from, domain_.grid, outside_, to);
    }
  }

  /// The stencil over and over, from one field to the other and back. What fails on a rank is told with the next
  /// exchange: no iteration waits for an agreement.
  template <class Map>
  Field iterated(const Map& map, const Field& in) {
    Field from = in; // only read: it may be the input's own array
    Field to;
    domain_.group.agree([&] {
      if (!in.view().isInColumns()) { // loops over columns are vectorised
        from = Field("values", in.numCells(), in.numComponents());
        copyValues(context_, in, from);
      }
      to = room(in);
    });
    std::exception_ptr failure;
    const auto attempt = [&](const auto& work) {
      try {
        if (!failure) {
          work();
        }
      } catch (...) {
        failure = std::current_exception();
      }
    };
    const auto compute = [&](const Context<Space>& context, const auto& cells) {
      attempt([&] { step(context, cells, from, to); });
    };
    for (int k = 0; k < settings_.iterations; ++k) { // the halo has its values at first
      if (domain_.exchange != nullptr) {
        domain_.exchange->fail(failure);
        stepWithHalo(context_, map, *domain_.exchange, compute, to.view());
      } else {
        compute(context_, map.inner);
      }
      attempt([&] {
        if (k == 0 && settings_.iterations > 1) {
          from = room(in); // nobody writes to the input's array
        }
        std::swap(from, to);
        context_.space().fence();
        progress_.report(0.2 + 0.8 * k / settings_.iterations);
      });
      if (failure && domain_.exchange == nullptr) {
        break;
      }
    }
    domain_.group.agree([&] {
      if (failure) {
        std::rethrow_exception(failure);
      }
    });
    return from;
  }

  Context<Space> context_;
  Settings settings_;
  const Domain& domain_;
  T outside_;
  Progress progress_;
};

/// The result of an array on the cells of a domain, in T. Collective.
template <ComputeSide side, class T, int Dim>
vtkSmartPointer<vtkDataArray> resultIn(const Settings& settings, const Domain<SpaceOf<side>, Dim>& domain,
  vtkDataArray* array, const std::string& name, const Progress& progress) {
  using Space = SpaceOf<side>;
  const int components = array->GetNumberOfComponents();
  checkComponents(settings.stencil, Dim, array->GetName(), components); // the same on all ranks
  FieldOn<T, Space> in;
  domain.group.agree([&] { in = fieldOn<side, T>(array, settings.stencil == Filter::DIVERGENCE ? Dim : components); });
  FieldOn<T, Space> out(
    "result", 0, settings.stencil == Filter::GRADIENT ? Dim : settings.componentsOfResult(components));
  if (domain.group.maximum(domain.set.numCells()) > 0) {
    out = Computation<Space, T, Dim>(settings, domain, progress).apply(in);
  }
  vtkSmartPointer<vtkDataArray> result;
  domain.group.agree([&] { result = arrayOn<side, T>(out, name, settings.componentsOfResult(components)); });
  return result;
}

/// The cut of which each rank owns these planes. Collective.
RowCut cutOfAll(const RankGroup& group, const PlaneRange& owned) {
  return group.alone() ? RowCut{{owned.begin, owned.end}} : cutOf(gatherRanges(group.communicator(), owned));
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
  requireOneGrid(info);
  return 1;
}

void vtkSpanwiseFieldStencil::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
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
    static_cast<spanwise::field::BoundaryPolicy>(this->BoundaryPolicy), this->BoundaryValue};

  vtkDataSet* const input = vtkDataSet::GetData(inputs[0], 0);
  const auto progress = progressOf(this);
  const std::string name = nameOfCellArray(group, input, this->GetInputArrayInformation(0));
  InputCells read = readCells(group, input, InputValues::AllOnAnySide, progress.part(0.0, 0.2));
  std::visit(
    [&]<int Dim>(RankCells<Dim>& cells) {
      // All stencils have the radius 1; between two iterations the halo is exchanged. A process that makes a part of
      // the output on its own has nobody to exchange with: its halo is as wide as a value can reach. Along the slowest
      // axis the halo also closes the period.
      Box<Dim> period{};
      Halo halo(group.streams() ? settings.iterations : 1);
      if (settings.policy == spanwise::field::BoundaryPolicy::Periodic) {
        period = boundingBoxOfAll<Dim>(group, {&cells.set});
        halo.period = {period.begin[Dim - 1], period.end[Dim - 1]};
        period.end[Dim - 1] = period.begin[Dim - 1];
      }
      const PlaneRange owned = distribute(group, cells, halo);
      if (group.maximum(static_cast<std::int64_t>(cells.values->GetArray(name.c_str()) != nullptr)) == 0 &&
        group.sum(cells.set.numCells()) == 0) {
        return;
      }
      const std::string resultName = this->ResultArrayName.empty() ? name + settings.suffix() : this->ResultArrayName;
      const auto rest = progress.part(0.4, 0.9);
      vtkDataArray* values = nullptr;
      group.agree([&] { values = cellArray(cells.values, name); });
      vtkSmartPointer<vtkDataArray> result;
      const SideInputs<Dim> all = sideInputsOf<Dim>(cells);
      computeOnSide<Dim>(group, "Field Stencil", all, [&]<ComputeSide side>(const SideContext<side>& context) {
        using Space = SpaceOf<side>;
        const IntervalSetOn<Dim, Space>& set = cells.set.template on<side>();
        std::optional<HaloExchange<Space>> exchange;
        if (!group.streams() && settings.iterations > 1) {
          exchange.emplace(group.communicator(), makeHaloPlan<Space, Dim>(context, cutOfAll(group, owned), halo, set));
        }
        const Domain<Space, Dim> domain{
          group, set, latticeOf<Dim>(read.placement), period, exchange ? &*exchange : nullptr};
        result = values->GetDataType() == VTK_FLOAT
          ? resultIn<side, float, Dim>(settings, domain, values, resultName, rest)
          : resultIn<side, double, Dim>(settings, domain, values, resultName, rest);
      });
      group.agree([&] {
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
