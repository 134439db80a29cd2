#ifndef LbmOptions_h
#define LbmOptions_h

#include "Core/Solvers/Lattice/LatticeOptions.hpp"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// Which flow spanwise-lbm computes: its sub-commands.
enum class LbmCase { Cavity, Cylinder, Sphere, Porous, File };

/// What spanwise-lbm was asked for. `size` cells are the side of a cavity or a bed, or a diameter; they are cells of
/// level 0.
struct LbmOptions {
  LbmCase flow = LbmCase::Cavity;
  int dimension = 2; ///< of a cavity
  std::optional<int> size;
  bool isChannel = false; ///< around a cylinder
  std::string file;       ///< of an obstacle or of pores; empty: there is none
  std::vector<double> threshold = {0.5, std::numeric_limits<double>::infinity()}; ///< of the values of an image
  std::array<double, 3> room = {2.0, 6.0, 2.0}; ///< around the cells of a file, in its lengths: along x, and beside
  int numSpheres = 64;
  double porosity = 0.45;
  unsigned seed = 1;
  int axis = 0; ///< along which pores are flown through

  std::optional<double> reynolds;
  // Instead of the Reynolds number, in SI:
  std::optional<double> viscosity;
  std::optional<double> speed;
  std::optional<double> cellSize;
  std::optional<double> latticeSpeed;

  spanwise::lattice::Velocities velocities = spanwise::lattice::Velocities::Fewest;
  spanwise::lattice::Collision collision = spanwise::lattice::Collision::TwoRelaxation;
  spanwise::lattice::Storage storage = spanwise::lattice::Storage::Float;
  spanwise::lattice::Update update = spanwise::lattice::Update::InPlace;
  double smagorinsky = 0.0;

  int numLevels = 1;
  int buffer = 4;
  double vorticity = 0.05;
  bool refinesWalls = false;
  int remeshStride = 16;

  std::optional<std::int64_t> maxSteps;
  std::optional<double> tolerance; ///< until the flow is steady; 0: it need not be
  std::string restart;

  std::string folder;
  std::optional<std::int64_t> outputStride; ///< 0: at the end only
  bool asVtk = false;
  std::vector<std::vector<double>> probes;
  bool quiet = false;

  /// How many cells of the finest level are as long as one of level 0.
  [[nodiscard]] int finestPerCell() const { return 1 << (numLevels - 1); }
};

/// What the command line asks for; no value where all is said (--help) or it is wrong: then the program ends with
/// `exitCode`. Only where `speaks` something is said.
std::optional<LbmOptions> parseLbmOptions(int argc, char** argv, bool speaks, int& exitCode);

#endif
