#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Expression/SetExpressionError.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Parallel/RowCut.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::geometry {

/// A set of cells as a formula over named inputs, such as `(A | B) & ~dilate(C, 2)`.
///
/// Operators, from the one that binds most, as in Python and C: `~` complement, `-` difference, `&` intersection, `^`
/// symmetric difference, `|` union; equal ones from the left. Functions are those of setExpressionFunctions(); `empty`
/// is the empty set. Names are letters, digits and underscores; any other name stands in quotes of one of the three
/// kinds ' " `, in which two quotes are one. A # begins a comment that ends with the line.
///
/// A complement has no end, but need not be stored: it is kept as the set whose complement it is. Every operation takes
/// complements, by De Morgan's laws and the duality of dilation and erosion (opening and closing, inner and outer
/// boundary); only the result of the whole must be finite. Which parts are finite follows from the text alone, whatever
/// the inputs are.
class SetExpression {
public:
  /// The structuring elements that have a word.
  enum class Shape { Box, Ball, Diamond, Faces, Edges, Vertices };
  enum class Kind { Input, Empty, Box, Complement, Combine, Morph, Boundary, FillHoles, Largest, Translate };

  /// An operation. What is not named for its kind has no meaning.
  struct Node {
    Kind kind = Kind::Empty;
    int left = -1;  ///< the operand, a node with a smaller number
    int right = -1; ///< Combine: the second operand
    int input = -1; ///< Input: its number
    SetOperation operation = SetOperation::Union;
    MorphologyOperation morphology = MorphologyOperation::Dilate;
    Shape shape = Shape::Box;
    BoundarySide side = BoundarySide::Inner;
    Connectivity connectivity = Connectivity::Face; ///< Boundary, FillHoles, Largest
    /// Box: its limits x0, x1, y0 ...; Morph: one radius, or one for each axis; Translate: the offset.
    std::vector<double> numbers;
    TextRange where;       ///< in the text, where it stands for the first time
    bool infinite = false; ///< whether it is the complement of a finite set
  };

  /// Limits of what is read, which keep a text from anywhere from taking all memory.
  static constexpr std::size_t maxBytes = 1 << 16;
  static constexpr int maxNesting = 200;
  /// Of balls, which take memory in proportion to their rows.
  static constexpr Coordinate maxRowsRadius = 1000;

  /// Reads `text`; `names` are those of the inputs. Throws SetExpressionError, with the place, if the text breaks a
  /// rule or the result is not finite, and InvalidArgument if a name is empty or there twice. O(length of the text log
  /// it).
  SetExpression(std::string text, std::vector<std::string> names);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// The operations: operands before what uses them, the whole expression last. What is written twice is there once.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

  /// Whether the result may have cells of this input because they are in it. Of inputs that are only taken away from
  /// others no cell is in the result.
  [[nodiscard]] bool givesCells(int input) const;

  /// Throws SetExpressionError unless every number of radii, offsets and limits is one for sets of this dimension.
  void checkDimension(int dimension) const;

  /// The planes p + first ... p + last around a plane p.
  struct Reach {
    std::int64_t first = 0;
    std::int64_t last = 0;

    /// Those around all of `planes`.
    [[nodiscard]] parallel::PlaneRange of(const parallel::PlaneRange& planes) const;
    /// How many planes more than its own a rank needs on both sides.
    [[nodiscard]] std::int64_t halo() const { return std::max({-first, last, std::int64_t{0}}); }
  };
  /// For each operation, the planes in which its value is needed for the result in plane p. For FillHoles and Largest
  /// the operand is needed in p alone: see dependsOnAll(). O(operations).
  [[nodiscard]] std::vector<Reach> reaches(int dimension) const;
  /// The planes of the inputs that are needed for the result in plane p.
  [[nodiscard]] Reach reach(int dimension) const;
  /// Whether the result in a plane depends on all planes of the inputs: where there is FillHoles or Largest.
  [[nodiscard]] bool dependsOnAll() const;

private:
  std::string text_;
  std::vector<std::string> names_;
  std::vector<Node> nodes_;
};

/// The name of input `number` (from 0) where it has no other: A, B, ... Z, AA, AB ...
std::string defaultInputName(int number);

/// A name as it is written in an expression: in quotes where it needs them.
std::string writtenName(const std::string& name);

} // namespace spanwise::geometry
