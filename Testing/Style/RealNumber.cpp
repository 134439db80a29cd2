#include <string>

// What libraries are not to do.
std::string realNumber(double number);
std::string realNumber(double number) { return std::to_string(number); }
