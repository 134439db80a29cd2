#include "Core/Geometry/EvaluateSetExpression.hpp"

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/FillHoles.hpp"
#include "Core/Geometry/LargestComponent.hpp"
#include "Core/Geometry/RowLimit.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace spanwise::geometry {

namespace {

using Kind = SetExpression::Kind;
using Shape = SetExpression::Shape;
using Node = SetExpression::Node;

template <int Dim>
Cell<Dim> cellOf(const std::vector<double>& numbers) {
  Cell<Dim> cell;
  for (int d = 0; d < Dim; ++d) { // one number is that of every axis
    cell.at[d] = static_cast<Coordinate>(numbers[numbers.size() == 1 ? 0 : static_cast<std::size_t>(d)]);
  }
  return cell;
}

template <int Dim>
StructuringElement<Dim> elementOf(const Node& node) {
  using Element = StructuringElement<Dim>;
  const double radius = node.numbers.front();
  switch (node.shape) {
  case Shape::Box:
    return Element::box(cellOf<Dim>(node.numbers));
  case Shape::Ball:
    return Element::ball(radius);
  case Shape::Diamond:
    return Element::diamond(static_cast<Coordinate>(radius));
  case Shape::Faces:
    return Element::neighbourhood(Connectivity::Face, static_cast<Coordinate>(radius));
  case Shape::Edges:
    return Element::neighbourhood(Connectivity::Edge, static_cast<Coordinate>(radius));
  case Shape::Vertices:
    return Element::neighbourhood(Connectivity::Vertex, static_cast<Coordinate>(radius));
  }
  return {};
}

/// The operation on the complement that gives the complement of the result. All elements here are symmetric.
MorphologyOperation dualOf(MorphologyOperation operation) {
  using enum MorphologyOperation;
  switch (operation) {
  case Dilate:
    return Erode;
  case Erode:
    return Dilate;
  case Open:
    return Close;
  default:
    return Open;
  }
}

/// The cells of a box in some planes.
template <int Dim>
Box<Dim> boxOf(const Node& node, const parallel::PlaneRange& planes) {
  Box<Dim> box;
  for (std::size_t d = 0; d < Dim; ++d) {
    box.begin[d] = static_cast<Coordinate>(node.numbers[2 * d]);
    box.end[d] = static_cast<Coordinate>(node.numbers[2 * d + 1]);
  }
  return inPlanes(box, planes);
}

} // namespace

template <class ExecutionSpace, int Dim>
SetExpressionEvaluator<ExecutionSpace, Dim>::SetExpressionEvaluator(SetExpression expression)
  : expression_(std::move(expression)) {
  expression_.checkDimension(Dim);
  reaches_ = expression_.reaches(Dim);
  reach_ = expression_.reach(Dim);
  makeElements();
  assignPlaces();
}

template <class ExecutionSpace, int Dim>
void SetExpressionEvaluator<ExecutionSpace, Dim>::makeElements() {
  for (const Node& node : expression_.nodes()) {
    try {
      elements_.push_back(node.kind == Kind::Morph ? elementOf<Dim>(node) : StructuringElement<Dim>());
    } catch (const Error& error) {
      throw SetExpressionError(error.what(), expression_.text(), node.where);
    }
  }
}

template <class ExecutionSpace, int Dim>
void SetExpressionEvaluator<ExecutionSpace, Dim>::assignPlaces() {
  const std::vector<Node>& nodes = expression_.nodes();
  const std::size_t count = nodes.size();
  const auto operandsOf = [](const Node& node) {
    std::vector<std::size_t> operands;
    for (const int operand : {node.left, node.right}) {
      if (operand >= 0) {
        operands.push_back(static_cast<std::size_t>(operand));
      }
    }
    return operands;
  };
  // A complement lies where its operand does: `source` is the node that is computed. The complement of a finite set
  // with its holes filled is all cells, which is the complement of nothing.
  std::vector<std::size_t> source(count);
  std::vector<std::size_t> lastUse(count, count);
  computed_.assign(count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const Node& node = nodes[k];
    source[k] = node.kind == Kind::Complement ? source[static_cast<std::size_t>(node.left)] : k;
    const bool isAll = node.kind == Kind::FillHoles && node.infinite;
    computed_[k] = static_cast<char>(
      node.kind != Kind::Input && node.kind != Kind::Empty && node.kind != Kind::Complement && !isAll);
    for (const std::size_t operand : operandsOf(node)) {
      if (computed_[k] != 0) {
        lastUse[source[operand]] = k;
      }
    }
  }
  places_.assign(count, {});
  std::vector<int> unused;
  for (std::size_t k = 0; k < count; ++k) {
    const Node& node = nodes[k];
    if (source[k] != k) {
      places_[k] = places_[source[k]];
    } else if (node.kind == Kind::Input) {
      places_[k] = {Place::In::Input, node.input};
    } else if (computed_[k] != 0 && k == source.back()) {
      places_[k] = {Place::In::Out, 0};
    } else if (computed_[k] != 0) {
      if (unused.empty()) {
        unused.push_back(static_cast<int>(between_.size()));
        between_.emplace_back();
      }
      places_[k] = {Place::In::Between, unused.back()};
      unused.pop_back();
    }
    for (const std::size_t operand : operandsOf(node)) {
      const std::size_t from = source[operand];
      if (places_[from].in == Place::In::Between && lastUse[from] == k) {
        unused.push_back(places_[from].index); // the next node may write over it
        lastUse[from] = count;                 // once, also if it is both operands
      }
    }
  }
}

/// The truth table for the sets that are stored: with those that stand for their complements exchanged, and
/// complemented itself where the result would have no end.
template <class ExecutionSpace, int Dim>
unsigned SetExpressionEvaluator<ExecutionSpace, Dim>::storedTable(const Node& node) const {
  const auto isInfinite = [&](int operand) { return expression_.nodes()[static_cast<std::size_t>(operand)].infinite; };
  const auto table = static_cast<unsigned>(node.operation);
  unsigned stored = 0;
  for (unsigned inLeft = 0; inLeft < 2; ++inLeft) {
    for (unsigned inRight = 0; inRight < 2; ++inRight) {
      const unsigned bit =
        (inLeft ^ (isInfinite(node.left) ? 1U : 0U)) + 2 * (inRight ^ (isInfinite(node.right) ? 1U : 0U));
      stored |= ((table >> bit & 1U) ^ (node.infinite ? 1U : 0U)) << (inLeft + 2 * inRight);
    }
  }
  return stored;
}

template <class ExecutionSpace, int Dim>
const IntervalSetOn<Dim, ExecutionSpace>* SetExpressionEvaluator<ExecutionSpace, Dim>::at(
  const Place& place, const std::vector<Set>& inputs, const Set& out) const {
  switch (place.in) {
  case Place::In::Input:
    return &inputs[static_cast<std::size_t>(place.index)];
  case Place::In::Between:
    return &between_[static_cast<std::size_t>(place.index)];
  case Place::In::Out:
    return &out;
  default:
    return &empty_;
  }
}

template <class ExecutionSpace, int Dim>
void SetExpressionEvaluator<ExecutionSpace, Dim>::compute(const Context<ExecutionSpace>& context, std::size_t number,
  const Operands& operands, Set& target, const parallel::PlaneRange& planes) {
  const auto& [left, right] = operands;
  const Node& node = expression_.nodes()[number];
  const bool dual = node.left >= 0 && expression_.nodes()[static_cast<std::size_t>(node.left)].infinite;
  switch (node.kind) {
  case Kind::Combine: {
    const unsigned stored = storedTable(node);
    constexpr unsigned rightWithoutLeft = 0b0100;
    if (stored == rightWithoutLeft) {
      combine<ExecutionSpace, Dim>(context, SetOperation::Difference, right, left, target);
    } else {
      combine<ExecutionSpace, Dim>(context, static_cast<SetOperation>(stored), left, right, target);
    }
    break;
  }
  case Kind::Morph:
    morph<ExecutionSpace, Dim>(
      context, dual ? dualOf(node.morphology) : node.morphology, left, elements_[number], target);
    break;
  case Kind::Boundary: {
    const bool inner = (node.side == BoundarySide::Inner) != dual; // the inner boundary of a set is the outer of others
    boundary<ExecutionSpace, Dim>(
      context, inner ? BoundarySide::Inner : BoundarySide::Outer, node.connectivity, left, target);
    break;
  }
  case Kind::Translate:
    translate<ExecutionSpace, Dim>(context, left, cellOf<Dim>(node.numbers), target);
    break;
  case Kind::Box: {
    const Box<Dim> box = boxOf<Dim>(node, planes);
    checkMadeRows(box, "all cells there are is ~empty");
    makeBox<ExecutionSpace, Dim>(context, box, target);
    break;
  }
  default:
    break; // nothing to do, see computed_, or computeTogether()
  }
}

template <class ExecutionSpace, int Dim>
void SetExpressionEvaluator<ExecutionSpace, Dim>::computeTogether(const Context<ExecutionSpace>& context,
  std::size_t number, const Set& operand, Set& target, const SetDomain<Dim>& domain) const {
  const Node& node = expression_.nodes()[number];
  Set own = operand;
  if (!domain.alone()) {
    parallel::agree(
      ranksOf(context, domain), [&] { restrictRows<ExecutionSpace, Dim>(context, operand, domain.planes(), own); });
  }
  // The largest component of a complement is all but the set and the parts of the outside that it encloses.
  const bool dual = expression_.nodes()[static_cast<std::size_t>(node.left)].infinite;
  if (node.kind == Kind::FillHoles || dual) {
    fillHoles<ExecutionSpace, Dim>(context, node.connectivity, own, target, domain);
  } else {
    largestComponent<ExecutionSpace, Dim>(context, node.connectivity, own, target, domain);
  }
  if (!domain.alone()) {
    surround<ExecutionSpace, Dim>(context, domain, reaches_[number].halo(), target, target);
  }
}

template <class ExecutionSpace, int Dim>
auto SetExpressionEvaluator<ExecutionSpace, Dim>::surrounded(const Context<ExecutionSpace>& context,
  const std::vector<Set>& inputs, const SetDomain<Dim>& domain) const -> std::vector<Set> {
  std::vector<Set> around(inputs.size());
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    surround<ExecutionSpace, Dim>(context, domain, reach_.halo(), inputs[k], around[k]);
  }
  return around;
}

template <class ExecutionSpace, int Dim>
void SetExpressionEvaluator<ExecutionSpace, Dim>::evaluate(
  const Context<ExecutionSpace>& context, const std::vector<Set>& inputs, Set& out, const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::SetExpression");
  out.clear();
  if (inputs.size() != expression_.names().size()) {
    throw InvalidArgument("there are " + std::to_string(inputs.size()) + " inputs and " +
      std::to_string(expression_.names().size()) + " names; there must be as many");
  }
  if (domain.periods().any()) {
    throw InvalidArgument("an axis of the domain of an expression repeats; expressions are of sets without periods");
  }
  try {
    if (domain.alone()) {
      computeAll(context, inputs, out, domain);
    } else {
      computeAll(context, surrounded(context, inputs, domain), out, domain);
      parallel::agree(
        ranksOf(context, domain), [&] { restrictRows<ExecutionSpace, Dim>(context, out, domain.planes(), out); });
    }
  } catch (...) {
    out.clear();
    throw;
  }
}

template <class ExecutionSpace, int Dim>
void SetExpressionEvaluator<ExecutionSpace, Dim>::computeAll(
  const Context<ExecutionSpace>& context, const std::vector<Set>& inputs, Set& out, const SetDomain<Dim>& domain) {
  const std::vector<Node>& nodes = expression_.nodes();
  const parallel::PlaneRange planes = reach_.of(domain.planes());
  const auto valueOf = [&](int node) -> const Set& {
    return node < 0 ? empty_ : *at(places_[static_cast<std::size_t>(node)], inputs, out);
  };
  const auto targetOf = [&](std::size_t k) -> Set& {
    const Place& place = places_[k];
    return place.in == Place::In::Out ? out : between_[static_cast<std::size_t>(place.index)];
  };
  const auto withPlace = [&](std::size_t k, const auto& work) {
    try {
      work();
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      throw SetExpressionError(error.what(), expression_.text(), nodes[k].where);
    }
  };
  const auto isTogether = [&](std::size_t k) {
    return computed_[k] != 0 && (nodes[k].kind == Kind::FillHoles || nodes[k].kind == Kind::Largest);
  };
  const auto reportAt = [&](std::size_t k) {
    context.progress().report(static_cast<double>(k) / static_cast<double>(nodes.size()));
  };
  for (std::size_t begin = 0; begin < nodes.size();) {
    std::size_t end = begin;
    while (end < nodes.size() && !isTogether(end)) {
      ++end;
    }
    parallel::agree(ranksOf(context, domain), [&] {
      for (std::size_t k = begin; k < end; ++k) {
        if (computed_[k] != 0) {
          reportAt(k);
          withPlace(
            k, [&] { compute(context, k, {valueOf(nodes[k].left), valueOf(nodes[k].right)}, targetOf(k), planes); });
        }
      }
      if (end < nodes.size()) {
        reportAt(end);
      }
    });
    if (end < nodes.size()) {
      withPlace(end, [&] { computeTogether(context, end, valueOf(nodes[end].left), targetOf(end), domain); });
    }
    begin = end + 1;
  }
  parallel::agree(ranksOf(context, domain), [&] {
    if (places_.back().in != Place::In::Out) {
      out = *at(places_.back(), inputs, out);
    }
    context.progress().report(1.0);
  });
}

#define SPANWISE_SET_EXPRESSION(Space, Dim) template class SetExpressionEvaluator<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SET_EXPRESSION)

} // namespace spanwise::geometry
