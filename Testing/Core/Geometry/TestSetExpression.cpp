#include "Core/Geometry/Expression/Functions.hpp"
#include "Core/Geometry/SetExpression.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

namespace spanwise::testing {
namespace {

using Names = std::vector<std::string>;
using Kind = SetExpression::Kind;

const Names abc{"A", "B", "C"};

/// The tree with all parentheses, which shows what was understood.
std::string shape(const SetExpression& expression, int k) {
  const SetExpression::Node& node = expression.nodes()[static_cast<std::size_t>(k)];
  switch (node.kind) {
  case Kind::Input:
    return expression.names()[static_cast<std::size_t>(node.input)];
  case Kind::Complement:
    return "~" + shape(expression, node.left);
  case Kind::Combine: {
    const char* const symbol = node.operation == SetOperation::Union ? "|"
      : node.operation == SetOperation::Intersection                 ? "&"
      : node.operation == SetOperation::Difference                   ? "-"
                                                                     : "^";
    return "(" + shape(expression, node.left) + symbol + shape(expression, node.right) + ")";
  }
  default:
    return "?";
  }
}

std::string shape(const std::string& text, const Names& names = abc) {
  const SetExpression expression(text, names);
  return shape(expression, static_cast<int>(expression.nodes().size()) - 1);
}

/// What is said of a text; nothing if it is right.
std::string said(const std::string& text, const Names& names = abc) {
  try {
    SetExpression(text, names);
  } catch (const SetExpressionError& error) {
    return error.what();
  }
  return {};
}

TEST(SetExpression, OperatorsBindAsInPython) {
  EXPECT_EQ(shape("A | B & C"), "(A|(B&C))");
  EXPECT_EQ(shape("A & B | C"), "((A&B)|C)");
  EXPECT_EQ(shape("A | B ^ C"), "(A|(B^C))");
  EXPECT_EQ(shape("A ^ B & C"), "(A^(B&C))");
  EXPECT_EQ(shape("A & B - C"), "(A&(B-C))");
  EXPECT_EQ(shape("A - B & C"), "((A-B)&C)");
  EXPECT_EQ(shape("A - B - C"), "((A-B)-C)");
  EXPECT_EQ(shape("A - (B - C)"), "(A-(B-C))");
  EXPECT_EQ(shape("A - ~B"), "(A-~B)");
  EXPECT_EQ(shape("A & ~B | C"), "((A&~B)|C)");
  EXPECT_EQ(shape("A & ~~~B"), "(A&~~~B)");
  EXPECT_EQ(shape("A|B|C"), "((A|B)|C)");
  EXPECT_EQ(shape("A & ~(B | C)"), "(A&~(B|C))");
}

TEST(SetExpression, SpaceLinesAndCommentsPartTokens) {
  EXPECT_EQ(shape("  A\t|\r\n  B # and more: ) ( '\n & C # the end"), "(A|(B&C))");
  EXPECT_EQ(shape("((((A))))"), "A");
}

TEST(SetExpression, AnyNameMayStandInQuotes) {
  const Names names{"a b", "it's", "2nd", "Größe", "empty", "dilate", "'`\""};
  EXPECT_EQ(shape("'a b' | \"it's\" | `2nd`", names), "((a b|it's)|2nd)");
  EXPECT_EQ(shape("'it''s' & Größe", names), "(it's&Größe)");
  EXPECT_EQ(shape("'empty' & dilate", names), "(empty&dilate)");
  EXPECT_EQ(SetExpression("empty", names).nodes().front().kind, Kind::Empty);
  EXPECT_EQ(SetExpression("dilate(dilate, 1)", names).nodes().back().kind, Kind::Morph);
  for (const std::string& name : names) {
    EXPECT_EQ(shape(writtenName(name), names), name);
  }
  EXPECT_EQ(writtenName("a_1"), "a_1");
  EXPECT_EQ(writtenName("1a"), "'1a'");
}

TEST(SetExpression, InputsAreNamedByLetters) {
  EXPECT_EQ(defaultInputName(0), "A");
  EXPECT_EQ(defaultInputName(25), "Z");
  EXPECT_EQ(defaultInputName(26), "AA");
  EXPECT_EQ(defaultInputName(27), "AB");
  EXPECT_EQ(defaultInputName(26 + 26 * 26), "AAA");
}

TEST(SetExpression, WhatIsWrittenTwiceIsThereOnce) {
  EXPECT_EQ(SetExpression("dilate(A, 2) & ~dilate( A ,2)", abc).nodes().size(), 4U);
  EXPECT_EQ(SetExpression("dilate(A, 2) & ~dilate(A, 3)", abc).nodes().size(), 5U);
  EXPECT_EQ(SetExpression("dilate(A, 2.5, ball) - dilate(A, 2.25, ball)", abc).nodes().size(), 4U);
}

// Every error, with its caret.
TEST(SetExpression, AnErrorStandsUnderItsPlace) {
  const auto expectSaid = [](const std::string& text, const std::string& message, const std::string& caret,
                            const Names& names = abc) {
    const std::string expected =
      "column " + std::to_string(caret.find('^') + 1) + ": " + message + "\n    " + text + "\n    " + caret;
    EXPECT_EQ(said(text, names), expected);
  };
  expectSaid("", "the expression is empty; write a set, for example A", "^");
  expectSaid("  # nothing", "the expression is empty; write a set, for example A", "           ^");
  expectSaid("A | D", "no input has the name 'D'; the inputs are A, B and C", "    ^");
  expectSaid("A | b", "no input has the name 'b'; the inputs are A, B and C; did you mean B?", "    ^");
  expectSaid("shel", "no input has the name 'shel'; the inputs are shell and 'a b'; did you mean shell?", "^~~~",
    {"shell", "a b"});
  expectSaid("A", "no input has the name 'A'; the only input is 'a b'", "^", {"a b"});
  expectSaid("A", "no input has the name 'A'; there are no inputs", "^", {});
  expectSaid("A |", "a set is missing: the text ends where an input, a function or ( should stand", "   ^");
  expectSaid("A | )", "a set is missing: there is ')' where an input, a function or ( should stand", "    ^");
  expectSaid("A & 2", "a set is missing: there is '2' where an input, a function or ( should stand", "    ^");
  expectSaid("A B", "an operator is missing before 'B'; the operators are ~ - & ^ |", "  ^");
  expectSaid("A (B)",
    "there is no function 'A'; there are dilate, erode, open, close, boundary, fill_holes, largest, "
    "translate and box",
    "^");
  expectSaid("(A | B", "the ( has no )", "^");
  expectSaid("A | B)", "there is no ( for this )", "     ^");
  expectSaid("(A, B)", "a comma stands between the arguments of a function only", "  ^");
  expectSaid("A && B", "the operator & is written once", "   ^");
  expectSaid("A || B", "the operator | is written once", "   ^");
  expectSaid("A + B", "'+' means nothing here; the union is |", "  ^");
  expectSaid("A * B", "'*' means nothing here; the intersection is &", "  ^");
  expectSaid("A \\ B", "'\\' means nothing here; the difference is -", "  ^");
  expectSaid("!A", "'!' means nothing here; the complement is ~", "^");
  expectSaid("A % B", "'%' means nothing here; the operators are ~ - & ^ |", "  ^");
  expectSaid("A and B", "write & for 'and'", "  ^~~");
  expectSaid("not A", "write ~ for 'not'", "^~~");
  expectSaid("not(A)", "write ~ for 'not'", "^~~");
  expectSaid("'A", "the name has no closing ' on its line", "^~");
  expectSaid(
    "A | 2nd", "'2nd' is neither a number nor a name; a name that begins with a digit stands in quotes", "    ^~~");
  expectSaid("translate(A, 1e999, 0)", "the number '1e999' is too large", "             ^~~~~");
  expectSaid("dilate", "dilate is a function; its arguments stand in parentheses: dilate(S, r)", "^~~~~~");
  expectSaid("dillate(A, 1)",
    "there is no function 'dillate'; there are dilate, erode, open, close, boundary, fill_holes, largest, translate "
    "and box; did you mean dilate?",
    "^~~~~~~");
  expectSaid("dilate(A)", "dilate needs a radius in cells, as in dilate(S, 2)", "        ^");
  expectSaid("dilate(A, ball)", "dilate needs a radius in cells, as in dilate(S, 2)", "              ^");
  expectSaid("dilate(A 2)", "a comma or an operator is missing before '2'", "         ^");
  expectSaid("dilate(A, )", "a number or a word such as ball is missing here", "          ^");
  expectSaid("dilate(A, 2", "the ( has no )", "      ^");
  expectSaid("erode(A, 1.5)", "the radius '1.5' is not a whole number of cells; only a ball may have such a radius",
    "         ^~~");
  expectSaid("erode(A, -1)", "the radius is '-1'; it must be from 0 to 2147483647", "         ^~");
  expectSaid("open(A, 2000, ball)", "the radius is '2000'; it must be from 0 to 1000 for this element", "        ^~~~");
  expectSaid("open(A, 3e9)", "the radius is '3e9'; it must be from 0 to 2147483647", "        ^~~");
  expectSaid("close(A, 1, 2, ball)", "only a box has a radius for each axis; this element has one", "            ^");
  expectSaid("close(A, 1, 2, 3, 4)", "close takes at most 3 radii, one for each axis", "                  ^");
  expectSaid("close(A, 1, bal)",
    "there is no structuring element 'bal'; it is box, ball, diamond, faces, edges or vertices", "            ^~~");
  expectSaid("close(A, ball, 1)", "the structuring element is the last argument of close", "         ^~~~");
  expectSaid("boundary(A, up)", "boundary does not know 'up'; it takes inner or outer, and faces, edges or vertices",
    "            ^~");
  expectSaid(
    "boundary(A, 2)", "boundary takes no numbers: it is one cell thick; dilate(S, 2) - S is thicker", "            ^");
  expectSaid("boundary(A, outer, inner)", "boundary takes one word for the side and one for the neighbours",
    "                   ^~~~~");
  expectSaid("boundary(A, edges, edges)", "boundary takes one word for the side and one for the neighbours",
    "                   ^~~~~");
  expectSaid("boundary(A, inner, faces, edges)", "boundary takes one word for the side and one for the neighbours",
    "                          ^~~~~");
  expectSaid("largest(A, 2)", "largest takes the set and one of faces, edges or vertices", "           ^");
  expectSaid("fill_holes(A, faces, edges)", "fill_holes takes the set and one of faces, edges or vertices",
    "                     ^~~~~");
  expectSaid("translate(A, 1)", "a number is missing: write translate(S, dx, dy, dz), in 2D without the last one",
    "              ^");
  expectSaid("translate(A, 1, 2, 3, 4)", "translate takes at most 3 numbers: translate(S, dx, dy, dz)",
    "                      ^");
  expectSaid(
    "translate(A, 0.5, 2)", "the number '0.5' is no whole number of cells in [-2^31, 2^31 - 1]", "             ^~~");
  expectSaid("translate(A, 0, up)", "'up' is no number; write translate(S, dx, dy, dz)", "                ^~");
  expectSaid("box(0, 1, 0)", "a number is missing: write box(x0, x1, y0, y1, z0, z1), in 2D without the last two",
    "           ^");
  expectSaid("box(0, 1, 0, 1, 2)", "a number is missing: write box(x0, x1, y0, y1, z0, z1), in 2D without the last two",
    "                 ^");
  expectSaid("box(0, 1, 5, -1)", "the box ends at '-1' before it begins, at '5'", "             ^~");
  expectSaid("box(0, 3e9, 0, 1)", "the number '3e9' is no whole number of cells in [-2^31, 2^31 - 1]", "       ^~~");
  const std::string remedy = ": intersect it with something finite, as in box(...) & ~A or A & ~B";
  expectSaid("~A", "the result has no end, because of '~A'" + remedy, "^~");
  expectSaid("A | ~dilate(B, 2)", "the result has no end, because of '~dilate(B, 2)'" + remedy, "    ^~~~~~~~~~~~~");
  expectSaid("~A - B", "the result has no end, because of '~A'" + remedy, "^~");
  expectSaid("A ^ ~~~B", "the result has no end, because of '~~~B'" + remedy, "    ^~~~");
  expectSaid("erode(~A & ~B, 1)", "the result has no end, because of '~A'" + remedy, "      ^~");
  expectSaid("Größe | D", "no input has the name 'D'; the only input is Größe", "        ^", {"Größe"});
}

TEST(SetExpression, AnErrorKnowsItsPlace) {
  try {
    SetExpression("A |\n  größe | B", {"A", "B"});
    FAIL() << "an unknown name was taken";
  } catch (const SetExpressionError& error) {
    EXPECT_EQ(error.line(), 2U);
    EXPECT_EQ(error.column(), 3U);
    EXPECT_EQ(error.where().begin, 6U);
    EXPECT_EQ(error.where().length, 7U); // bytes
    EXPECT_EQ(error.message(), "no input has the name 'größe'; the inputs are A and B");
    EXPECT_EQ(error.caret(60), "  größe | B\n  ^~~~~");
    EXPECT_EQ(error.caret(3), "  grö...\n  ^~~");
    EXPECT_EQ(std::string(error.what()), "line 2, column 3: " + error.message() + "\n      größe | B\n      ^~~~~");
  }
  EXPECT_EQ(said("A |\tD"), "column 5: no input has the name 'D'; the inputs are A, B and C\n    A | D\n        ^");
}

TEST(SetExpression, OfALongLineThePartAroundThePlaceIsShown) {
  std::string text = "A";
  for (int k = 0; k < 1000; ++k) {
    text += " | A";
  }
  const std::string message = said(text + " | D | " + text);
  EXPECT_EQ(message.substr(0, 13), "column 4005: ");
  EXPECT_LT(message.size(), 400U);
  const std::size_t line = message.find('\n') + 1;
  const std::size_t caretLine = message.find('\n', line) + 1;
  EXPECT_EQ(message[line + message.find('^', caretLine) - caretLine], 'D');
}

TEST(SetExpression, NamesOfInputsAreToldApart) {
  EXPECT_THROW(SetExpression("A", {"A", "A"}), InvalidArgument);
  EXPECT_THROW(SetExpression("A", {"A", ""}), InvalidArgument);
}

TEST(SetExpression, NumbersAreForOneDimension) {
  const auto fits = [](const char* text, int dimension) {
    try {
      SetExpression(text, abc).checkDimension(dimension);
      return true;
    } catch (const SetExpressionError& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(dimension) + "D"), std::string::npos);
      return false;
    }
  };
  for (const char* text : {"dilate(A, 1)", "A & ~B"}) {
    EXPECT_TRUE(fits(text, 2) && fits(text, 3));
  }
  for (const char* text : {"dilate(A, 1, 2)", "translate(A, 1, 2)", "box(0, 1, 0, 1)"}) {
    EXPECT_TRUE(fits(text, 2) && !fits(text, 3)) << text;
  }
  for (const char* text : {"dilate(A, 1, 2, 3)", "translate(A, 1, 2, 3)", "box(0, 1, 0, 1, 0, 1)"}) {
    EXPECT_TRUE(!fits(text, 2) && fits(text, 3)) << text;
  }
}

TEST(SetExpression, KnowsWhichPlanesTheResultDependsOn) {
  const auto expectReach = [](const char* text, std::int64_t first, std::int64_t last, bool all = false) {
    const SetExpression expression(text, abc);
    const auto reach = expression.reach(2);
    EXPECT_EQ(reach.first, first) << text;
    EXPECT_EQ(reach.last, last) << text;
    EXPECT_EQ(expression.dependsOnAll(), all) << text;
  };
  expectReach("A | B", 0, 0);
  expectReach("(A | B) & ~dilate(C, 2)", -2, 2);
  expectReach("dilate(erode(A, 3) | B, 1)", -4, 4);
  expectReach("open(A, 7, 2)", -4, 4);
  expectReach("erode(A, 2.9, ball)", -2, 2);
  expectReach("boundary(A, outer)", -1, 1);
  expectReach("translate(A, 100, 5)", -5, -5);
  expectReach("translate(A, 0, 5) | dilate(translate(A, 0, -2), 1)", -5, 3);
  expectReach("dilate(box(0, 1, 0, 1), 7)", -7, 7);
  expectReach("largest(A)", 0, 0, true);
  expectReach("dilate(A, 1) & fill_holes(B)", -1, 1, true);
  const SetExpression::Reach reach{-2, 3};
  EXPECT_EQ(reach.of({10, 20}), (PlaneRange{8, 23}));
  EXPECT_EQ(reach.of({}), PlaneRange());
  EXPECT_EQ(reach.halo(), 3);
  EXPECT_EQ((SetExpression::Reach{-5, -4}.halo()), 5);
}

// What is found of all planes together is needed around a rank's own, what it is found of in these alone.
TEST(SetExpression, KnowsWhichPlanesOperationsAreNeededIn) {
  const SetExpression expression("dilate(fill_holes(dilate(A, 2)), 3) | translate(B, 0, 1)", abc);
  const auto reaches = expression.reaches(2);
  const auto expectReach = [&](SetExpression::Kind kind, int input, std::int64_t first, std::int64_t last) {
    for (std::size_t k = 0; k < reaches.size(); ++k) {
      const auto& node = expression.nodes()[k];
      if (node.kind == kind && node.input == input) {
        EXPECT_EQ(reaches[k].first, first);
        EXPECT_EQ(reaches[k].last, last);
        return;
      }
    }
    ADD_FAILURE();
  };
  expectReach(Kind::FillHoles, -1, -3, 3);
  expectReach(Kind::Input, 0, -2, 2);
  expectReach(Kind::Input, 1, -1, -1);
  EXPECT_EQ(expression.reach(2).first, -2);
  EXPECT_EQ(expression.reach(2).last, 2);
}

TEST(SetExpression, KnowsWhichInputsGiveCells) {
  const auto giving = [](const char* text) {
    const SetExpression expression(text, abc);
    std::string names;
    for (int k = 0; k < 3; ++k) {
      names += expression.givesCells(k) ? abc[static_cast<std::size_t>(k)] : "";
    }
    return names;
  };
  EXPECT_EQ(giving("(A | B) & ~dilate(C, 2)"), "AB");
  EXPECT_EQ(giving("A - B"), "A");
  EXPECT_EQ(giving("A - (B - C)"), "AC");
  EXPECT_EQ(giving("A ^ B"), "AB");
  EXPECT_EQ(giving("box(0, 1, 0, 1) - A"), "");
  EXPECT_EQ(giving("box(0, 1, 0, 1) & ~~A"), "A");
  EXPECT_EQ(giving("largest(A) - boundary(B)"), "AB"); // fewer cells of B may be more of the result
  EXPECT_EQ(giving("A & ~(B ^ C)"), "ABC");
  EXPECT_EQ(giving("(A - B) | (B - A)"), "AB");
}

// --- text from anywhere ---

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int k = 0; k < times; ++k) {
    result += text;
  }
  return result;
}

TEST(SetExpression, RefusesWhatIsTooMuch) {
  for (const std::string& text : {repeated("(", 60000), repeated("dilate(", 9000), repeated("~(", 30000),
         repeated("(", 201) + "A" + repeated(")", 201)}) {
    EXPECT_NE(said(text).find("parentheses lie more than 200 deep"), std::string::npos);
  }
  EXPECT_EQ(said(repeated("(", 200) + "A" + repeated(")", 200)), "");
  for (const std::string& text : {repeated("(", 100000), repeated("A|", 1 << 20), std::string(1 << 20, '\0')}) {
    const std::string message = said(text);
    EXPECT_NE(message.find("bytes; it may have 65536"), std::string::npos);
    EXPECT_LT(message.size(), 1000U);
  }
}

TEST(SetExpression, ReadsAsMuchAsItMayHave) {
  EXPECT_EQ(said(repeated("A|", (1 << 15) - 1) + "B"), "");
  EXPECT_EQ(said("A|" + repeated("~", (1 << 16) - 3) + "B").substr(0, 10), "column 3: "); // an odd number of them
  EXPECT_EQ(said("A|" + repeated("~", (1 << 16) - 4) + "B"), "");
  EXPECT_NE(said(repeated("A|", (1 << 15) - 1) + "~B").find("because of '~B'"), std::string::npos);
}

TEST(SetExpression, SaysWhatBytesItCannotRead) {
  EXPECT_EQ(said(std::string("A |\0 B", 6)),
    "column 4: '?' means nothing here; the operators are ~ - & ^ |\n    A |? B\n       ^");
  EXPECT_NE(said("A | \xff\xfe").find("no input has the name"), std::string::npos);
  EXPECT_NE(said("A \xe2\x88\xaa B").find("an operator is missing before '\xe2\x88\xaa'"), std::string::npos);
  EXPECT_NE(said(std::string(1000, '\x80')).find("no input has the name"), std::string::npos);
}

// Whatever the bytes are: an expression or a message with a place in the text, and never anything else.
TEST(SetExpression, AnyBytesAreAnExpressionOrAnError) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const std::vector<std::string> pieces{"A", "B", "C", "'", "\"", "`", "(", ")", "(", ")", "|", "&", "-", "^", "~", ",",
    "dilate(", "erode(A, ", "box(", "largest(", "boundary(", "translate(", "fill_holes(", "1", "2.5", "-3", "1e9",
    "ball", "outer", "faces", "empty", " ", "\n", "#", "\xc3\xa9", "\xff", std::string(1, '\0'), "0x", ".", "1.", "e5"};
  int numRight = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string bytes;
    for (auto n = random() % 12; n-- > 0;) {
      bytes += pieces[random() % pieces.size()];
    }
    try {
      const SetExpression expression(bytes, abc);
      ++numRight;
      for (std::size_t n = 0; n < expression.nodes().size(); ++n) {
        EXPECT_LT(expression.nodes()[n].left, static_cast<int>(n));
        EXPECT_LE(expression.nodes()[n].where.end(), bytes.size());
      }
      EXPECT_FALSE(expression.nodes().back().infinite);
    } catch (const SetExpressionError& error) {
      EXPECT_LE(error.where().end(), bytes.size());
      EXPECT_LE(error.column(), bytes.size() + 1);
      EXPECT_FALSE(error.message().empty());
    }
  }
  EXPECT_GT(numRight, 100);
}

TEST(SetExpression, EveryFunctionIsExplained) {
  for (const SetExpressionFunction& function : setExpressionFunctions()) {
    EXPECT_EQ(function.signature.substr(0, function.name.size() + 1), function.name + "(");
    EXPECT_GT(function.meaning.size(), 20U);
    EXPECT_EQ(findSetExpressionFunction(function.name), &function);
  }
  EXPECT_EQ(findSetExpressionFunction("none"), nullptr);
  EXPECT_TRUE(std::is_sorted(setExpressionWords().begin(), setExpressionWords().end()));
}

} // namespace
} // namespace spanwise::testing
