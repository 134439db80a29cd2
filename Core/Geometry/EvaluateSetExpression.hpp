#pragma once

#include "Core/Geometry/SetDomain.hpp"
#include "Core/Geometry/SetExpression.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <vector>

namespace spanwise::geometry {

/// Computes a SetExpression on sets of one dimension, any number of times.
template <class ExecutionSpace, int Dim>
class SetExpressionEvaluator {
public:
  using Set = IntervalSetOn<Dim, ExecutionSpace>;
  using Scratch = Workspace<typename ExecutionSpace::memory_space>;

  /// Throws SetExpressionError if the expression is not one for sets of this dimension, or an element has too many rows
  /// in it.
  explicit SetExpressionEvaluator(SetExpression expression);

  [[nodiscard]] const SetExpression& expression() const { return expression_; }
  /// How many sets are kept for what lies between the inputs and the result.
  [[nodiscard]] std::size_t numSetsBetween() const { return between_.size(); }

  /// Collective. out = the value of the expression. `inputs` are those of the expression's names, in their order. What
  /// is written twice is computed once; what lies between is kept in as many sets as are needed at once.
  ///
  /// Each rank gives and gets the cells in the planes that it owns. The planes of the inputs that its own depend on
  /// (SetExpression::reach()) come from the other ranks; holes and the largest component, which depend on all planes,
  /// are found by all together.
  ///
  /// The cost is that of the operations: combine(), morph(), connectedComponents(), fillHoles(), translate(),
  /// makeBox(). The result does not depend on the number of threads or ranks. With one process a repeated call
  /// allocates nothing but what fillHoles() does. `out` may share nothing with an input.
  ///
  /// Throws SetExpressionError, with the place in the text, where a coordinate would leave the limits, or where a
  /// box would have or a dilation make more than maxMadeRows (2^30) rows, and on several ranks what agree() makes of
  /// it; InvalidArgument if there are not as many inputs as names, or an axis of the domain repeats; Cancelled when
  /// `progress` says so. `out` is then empty.
  void evaluate(const Context<ExecutionSpace>& context, const std::vector<Set>& inputs, Set& out,
    const SetDomain<Dim>& domain = {});

private:
  using Node = SetExpression::Node;

  /// Where the value of a node lies, or the set whose complement it is.
  struct Place {
    enum class In { Nowhere, Input, Between, Out } in = In::Nowhere; ///< Nowhere: the empty set
    int index = 0;
  };

  void makeElements();
  void assignPlaces();
  [[nodiscard]] unsigned storedTable(const Node& node) const;
  /// The inputs in all planes that a rank's own depend on.
  [[nodiscard]] std::vector<Set> surrounded(
    const Context<ExecutionSpace>& context, const std::vector<Set>& inputs, const SetDomain<Dim>& domain) const;
  void computeAll(
    const Context<ExecutionSpace>& context, const std::vector<Set>& inputs, Set& out, const SetDomain<Dim>& domain);
  /// An operation whose result in a plane depends on the cells in all of them. Collective.
  void computeTogether(const Context<ExecutionSpace>& context, std::size_t number, const Set& operand, Set& target,
    const SetDomain<Dim>& domain) const;
  /// Any other, in the planes that a rank needs.
  struct Operands {
    const Set& left;
    const Set& right;
  };
  void compute(const Context<ExecutionSpace>& context, std::size_t number, const Operands& operands, Set& target,
    const parallel::PlaneRange& planes);
  [[nodiscard]] const Set* at(const Place& place, const std::vector<Set>& inputs, const Set& out) const;

  SetExpression expression_;
  std::vector<StructuringElement<Dim>> elements_; ///< [nodes] of those that have one
  std::vector<SetExpression::Reach> reaches_;     ///< [nodes]
  SetExpression::Reach reach_;                    ///< of the inputs
  std::vector<Place> places_;                     ///< [nodes]
  std::vector<char> computed_;                    ///< [nodes] whether the node has work to do
  std::vector<Set> between_;
  Set empty_;
};

} // namespace spanwise::geometry
