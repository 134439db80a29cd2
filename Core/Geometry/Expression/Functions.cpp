#include "Core/Geometry/Expression/Functions.hpp"

#include <algorithm>

namespace spanwise::geometry {

const std::vector<SetExpressionFunction>& setExpressionFunctions() {
  static const std::vector<SetExpressionFunction> functions{
    {"dilate", "dilate(S, r)",
      "S grown by r cells along every axis. dilate(S, rx, ry, rz) has a radius for each axis, dilate(S, r, ball) "
      "another "
      "structuring element: box, ball, diamond, faces, edges or vertices."},
    {"erode", "erode(S, r)",
      "S shrunk by r cells along every axis. Radii for each axis and structuring elements as for dilate."},
    {"open", "open(S, r)",
      "S without what is narrower than 2 r + 1 cells: eroded, then dilated. Arguments as for dilate."},
    {"close", "close(S, r)", "S with gaps up to 2 r cells wide closed: dilated, then eroded. Arguments as for dilate."},
    {"boundary", "boundary(S)",
      "The cells of S that have a neighbour outside. boundary(S, outer) is the cells outside that have a neighbour in "
      "S. "
      "A last argument faces (default), edges or vertices says which cells are neighbours."},
    {"fill_holes", "fill_holes(S)",
      "S and the holes in it, from which no way leads out. A second argument faces (default), edges or vertices says "
      "over "
      "what ways lead from cell to cell."},
    {"largest", "largest(S)",
      "The connected component of S with the most cells; the first one of equals. A second argument faces (default), "
      "edges or vertices says which cells are neighbours."},
    {"translate", "translate(S, dx, dy, dz)", "S moved by so many cells. In 2D without dz."},
    {"box", "box(x0, x1, y0, y1, z0, z1)",
      "The cells x0 <= x < x1, y0 <= y < y1, z0 <= z < z1 of the lattice. In 2D without z0 and z1."},
  };
  return functions;
}

const std::vector<std::string>& setExpressionWords() {
  static const std::vector<std::string> words{
    "ball", "box", "diamond", "edges", "empty", "faces", "inner", "outer", "vertices"};
  return words;
}

const SetExpressionFunction* findSetExpressionFunction(const std::string& name) {
  const auto& functions = setExpressionFunctions();
  const auto found =
    std::find_if(functions.begin(), functions.end(), [&](const auto& function) { return function.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

} // namespace spanwise::geometry
