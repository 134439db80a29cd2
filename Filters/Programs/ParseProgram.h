#ifndef ParseProgram_h
#define ParseProgram_h

#include <CLI/CLI.hpp>

#include <iostream>
#include <sstream>

/// Whether a command line is right and asks for work. Otherwise all is said (--help), or what is wrong, where the
/// program `speaks`, and it ends with `exitCode`.
inline bool parseProgram(CLI::App& app, int argc, char** argv, bool speaks, int& exitCode) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream err;
    exitCode = app.exit(error, out, err);
    if (speaks) {
      std::cout << out.str();
      std::cerr << err.str();
    }
    return false;
  }
  return true;
}

#endif
