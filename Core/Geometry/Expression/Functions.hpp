#pragma once

#include <string>
#include <vector>

namespace spanwise::geometry {

/// A function of set expressions, for people.
struct SetExpressionFunction {
  std::string name;
  std::string signature; ///< "dilate(S, r)"
  std::string meaning;   ///< one or two sentences
};

/// All functions, in the order in which they are explained.
const std::vector<SetExpressionFunction>& setExpressionFunctions();

/// The words that stand for a structuring element, neighbours or a side in the functions' arguments.
const std::vector<std::string>& setExpressionWords();

/// The function of a name; nullptr if there is none.
const SetExpressionFunction* findSetExpressionFunction(const std::string& name);

} // namespace spanwise::geometry
