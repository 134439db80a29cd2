#ifndef Mach2Options_h
#define Mach2Options_h

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// What spanwise-mach2 was asked for. Lengths are in cells of level 0, the speed of sound of the stream is 1.
struct Mach2Options {
  int nx = 400;
  int ny = 160;
  int nz = 0; ///< 0: a flow in the plane
  double radius = 20.0;
  std::vector<double> center; ///< empty: a quarter of nx, half of ny and nz
  std::string obstacle;       ///< a file with cells instead of the cylinder
  double mach = 2.0;
  double gamma = 1.4;
  std::string flux = "hllc";
  std::string slopes = "van-leer";
  std::string sides = "outflow";
  double cfl = 0.4;
  long maxSteps = 5000;
  double maxTime = std::numeric_limits<double>::infinity();
  bool refines = false;
  int numLevels = 4;
  int remeshStride = 10;
  bool subcycles = true;
  double gradient = 0.05;
  std::string folder = "mach2_cylinder";
  int outputStride = 50; ///< 0: no files of steps
  bool asVtk = false;
  bool masks = false;
  std::vector<std::vector<double>> probes;
  int recordStride = 10;
  std::string checkpoint; ///< empty: in the folder
  int checkpointStride = 500;
  std::string restart;
  bool quiet = false;

  [[nodiscard]] int dimension() const { return nz > 0 ? 3 : 2; }
  [[nodiscard]] int levels() const { return refines ? numLevels : 1; }
};

/// What the command line asks for; no value where all is said (--help) or it is wrong: then the program ends with
/// `exitCode`. Only where `speaks` something is said.
std::optional<Mach2Options> parseMach2Options(int argc, char** argv, bool speaks, int& exitCode);

#endif
