#include "Mach2Options.h"

#include "ParseProgram.h"

namespace {

constexpr const char* about =
  "Flow of a gas around a cylinder (with --nz a sphere) or any set of cells, by default at Mach 2, on levels of cells "
  "that follow the shocks. Lengths are in cells of level 0; the speed of sound of the stream is 1, its density 1.4 and "
  "its pressure 1.";

} // namespace

std::optional<Mach2Options> parseMach2Options(int argc, char** argv, bool speaks, int& exitCode) {
  Mach2Options options;
  CLI::App app(about, "spanwise-mach2");
  app.get_formatter()->column_width(34);
  app.option_defaults()->always_capture_default();

  app.add_option("--nx", options.nx, "cells of level 0 along x")->check(CLI::Range(1, 1 << 28))->group("Domain");
  app.add_option("--ny", options.ny, "and along y")->check(CLI::Range(1, 1 << 28))->group("Domain");
  app.add_option("--nz", options.nz, "and along z; 0: in the plane")->check(CLI::Range(0, 1 << 28))->group("Domain");
  app.add_option("--radius", options.radius, "of the cylinder or sphere")->check(CLI::PositiveNumber)->group("Domain");
  app.add_option("--center", options.center, "of it; a quarter of nx, half of ny and nz if not given")
    ->expected(2, 3)
    ->group("Domain");
  app.add_option("--obstacle", options.obstacle, "cells of a file instead: .icsr, .vti, .stl, .vtp or .ply")
    ->check(CLI::ExistingFile)
    ->group("Domain");
  app.add_option("--sides", options.sides, "what the sides along the stream are")
    ->check(CLI::IsMember({"outflow", "wall", "periodic"}))
    ->group("Domain");

  app.add_option("--mach-inlet", options.mach, "speed of the stream")->check(CLI::PositiveNumber)->group("Gas");
  app.add_option("--gamma", options.gamma, "ratio of specific heats, above 1")->group("Gas");
  app.add_option("--flux", options.flux, "Riemann solver")->check(CLI::IsMember({"hllc", "rusanov"}))->group("Gas");
  app.add_option("--slopes", options.slopes, "within cells; none: first order")
    ->check(CLI::IsMember({"van-leer", "minmod", "none"}))
    ->group("Gas");
  app.add_option("--cfl", options.cfl, "time steps, as a part of a cell's crossing, at most 1")->group("Gas");

  app.add_flag("--amr,!--no-amr", options.refines, "refine where the density changes")->group("Levels");
  app.add_option("--amr-levels", options.numLevels, "how many levels, with level 0")
    ->check(CLI::Range(1, 16))
    ->group("Levels");
  app.add_option("--amr-remesh-stride", options.remeshStride, "steps until levels follow the flow")
    ->check(CLI::PositiveNumber)
    ->group("Levels");
  app.add_flag("--amr-subcycle,!--no-amr-subcycle", options.subcycles, "coarse levels take larger steps")
    ->group("Levels");
  app
    .add_option(
      "--amr-gradient", options.gradient, "refine where neighbours differ by this part of the stream's density")
    ->check(CLI::PositiveNumber)
    ->group("Levels");

  app.add_option("--max-steps", options.maxSteps, "stop after so many steps of the finest level")
    ->check(CLI::NonNegativeNumber)
    ->group("Time");
  app.add_option("--max-time", options.maxTime, "stop at this time")->check(CLI::PositiveNumber)->group("Time");
  app.add_option("--checkpoint", options.checkpoint, "file to go on from later; FOLDER/checkpoint if not given")
    ->group("Time");
  app.add_option("--checkpoint-stride", options.checkpointStride, "write it after so many steps; 0: at the end only")
    ->check(CLI::NonNegativeNumber)
    ->group("Time");
  app.add_option("--restart", options.restart, "go on from such a file, of a run with the same options")->group("Time");

  app.add_option("--output", options.folder, "folder for all files")->group("Output");
  app.add_option("--output-stride", options.outputStride, "write the flow after so many steps; 0: never")
    ->check(CLI::NonNegativeNumber)
    ->group("Output");
  app.add_flag("--vtk", options.asVtk, "write it as VTK files (.vtpc) too")->group("Output");
  app.add_flag("--masks", options.masks, "write the cells of each level, and those that are refined, too")
    ->group("Output");
  app
    .add_option_function<std::vector<double>>(
      "--probe", [&](const std::vector<double>& probe) { options.probes.push_back(probe); },
      "x y (z) of a probe in report.csv; may be given again")
    ->expected(2, 3)
    ->trigger_on_parse()
    ->type_name("FLOAT")
    ->group("Output");
  app.add_option("--record-stride", options.recordStride, "steps between rows of report.csv")
    ->check(CLI::PositiveNumber)
    ->group("Output");
  app.add_flag("--quiet", options.quiet, "no progress bar")->group("Output");

  return parseProgram(app, argc, argv, speaks, exitCode) ? std::optional(options) : std::nullopt;
}
