#pragma once

#include "Core/Geometry/SetExpression.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <functional>
#include <vector>

namespace spanwise {

/// What an evaluator asks of ranks that compute an expression together, each in its own planes: the operations whose
/// result in a plane depends on all of them. All functions are collective.
template <class ExecutionSpace, int Dim>
class WholeSetOperations {
public:
  using Set = IntervalSetOn<Dim, ExecutionSpace>;
  using Reach = SetExpression::Reach;

  WholeSetOperations() = default;
  WholeSetOperations(const WholeSetOperations&) = delete;
  WholeSetOperations& operator=(const WholeSetOperations&) = delete;
  virtual ~WholeSetOperations() = default;

  /// out = what fillHoles() makes of the set of which each rank has its own planes in `set`; what `set` has in others
  /// is of no use. `out` must be right in the planes reach.of(own planes). All ranks throw the same.
  virtual void fillHoles(Connectivity connectivity, const Set& set, const Reach& reach, Set& out) = 0;
  /// The same for largestComponent().
  virtual void largestComponent(Connectivity connectivity, const Set& set, const Reach& reach, Set& out) = 0;
  /// Runs `work`, which may throw on some ranks: then all throw the same.
  virtual void agree(const std::function<void()>& work) = 0;
};

/// Computes a SetExpression on sets of one dimension, any number of times.
template <class ExecutionSpace, int Dim>
class SetExpressionEvaluator {
public:
  using Set = IntervalSetOn<Dim, ExecutionSpace>;
  using Scratch = Workspace<typename ExecutionSpace::memory_space>;
  using Whole = WholeSetOperations<ExecutionSpace, Dim>;

  /// Throws SetExpressionError if the expression is not one for sets of this dimension, or an element has too many rows
  /// in it.
  explicit SetExpressionEvaluator(SetExpression expression);

  [[nodiscard]] const SetExpression& expression() const { return expression_; }
  /// How many sets are kept for what lies between the inputs and the result.
  [[nodiscard]] std::size_t numSetsBetween() const { return between_.size(); }

  /// out = the value of the expression. `inputs` are those of the expression's names, in their order. What is written
  /// twice is computed once; what lies between is kept in as many sets as are needed at once.
  ///
  /// The result in some planes alone is computed from the inputs in `planes` = SetExpression::reach().of(these): boxes
  /// are made in `planes` only, and what the result has in others than these is of no use. Where the expression
  /// dependsOnAll(), ranks do that together, with `whole` for what they cannot do alone; the call is then collective.
  ///
  /// Where the inputs are noise, as combine() of a list says, parts that are made of inputs by two or more operations
  /// of set algebra alone are done on masks; the result is the same.
  ///
  /// The cost is that of the operations: combine(), morph(), connectedComponents(), fillHoles(), translate(),
  /// makeBox(). The result does not depend on the number of threads. A repeated call allocates nothing but what
  /// fillHoles() does. `out` may share nothing with an input.
  ///
  /// Throws SetExpressionError, with the place in the text, where a coordinate would leave the limits, or where a
  /// box would have or a dilation make more than mostMadeRows (2^30) rows; InvalidArgument if there are not as many
  /// inputs as names, or if some planes are asked for without `whole` where the expression dependsOnAll(); Cancelled
  /// when `progress` says so. `out` is then empty.
  void evaluate(const ExecutionSpace& space, const std::vector<Set>& inputs, Set& out, Scratch& workspace,
    const PlaneRange& planes = {}, const Progress& progress = {}, Whole* whole = nullptr);

private:
  using Node = SetExpression::Node;

  /// Where the value of a node lies, or the set whose complement it is.
  struct Place {
    enum class In { Nowhere, Input, Between, Out } in = In::Nowhere; ///< Nowhere: the empty set
    int index = 0;
  };

  void makeElements();
  void assignPlaces();
  void findChains();
  [[nodiscard]] unsigned storedTable(const Node& node) const;
  void computeAll(const ExecutionSpace& space, const std::vector<Set>& inputs, Set& out, Scratch& workspace,
    const PlaneRange& planes, const Progress& progress, Whole* whole);
  /// A node of all cells, by all ranks.
  void computeTogether(Whole& whole, std::size_t number, const Set& operand, Set& target) const;
  void compute(const ExecutionSpace& space, std::size_t number, const Set& left, const Set& right, Set& target,
    Scratch& workspace, const PlaneRange& planes);
  template <class Masks>
  std::uint64_t* onMasks(std::size_t number, const std::vector<Set>& inputs, Masks& masks) const;
  [[nodiscard]] const Set* at(const Place& place, const std::vector<Set>& inputs, const Set& out) const;

  SetExpression expression_;
  std::vector<StructuringElement<Dim>> elements_; ///< [nodes] of those that have one
  std::vector<SetExpression::Reach> reaches_;     ///< [nodes]
  std::vector<Place> places_;                     ///< [nodes]
  std::vector<char> computed_;                    ///< [nodes] whether the node has work to do
  std::vector<int> operations_; ///< [nodes] operations of a node that is made of inputs by set algebra alone, or -1
  std::vector<char> isEnd_;     ///< [nodes] whether such a node is needed by others, or the result
  bool hasChain_ = false;       ///< whether one of them has enough operations for masks to pay
  std::vector<Set> between_;
  Set empty_;
};

} // namespace spanwise
