#include "LbmOptions.h"

#include "ParseProgram.h"

#include <array>
#include <map>

using namespace spanwise::lattice;

namespace {

constexpr const char* purpose =
  "Flow of a liquid, or of a gas much slower than sound, by the lattice Boltzmann method. Each sub-command runs as it "
  "is; 'spanwise-lbm cavity --help' lists its options.";

constexpr const char* examples =
  "Examples:\n"
  "  spanwise-lbm cavity --size 128 --reynolds 1000\n"
  "  spanwise-lbm cylinder --channel --reynolds 100\n"
  "  spanwise-lbm cylinder --size 10 --amr-levels 3\n"
  "  spanwise-lbm sphere --reynolds 50 --until-steady 1e-4\n"
  "  spanwise-lbm porous --pores scan.vti --threshold 0,120 --cell-size 5e-6\n"
  "  spanwise-lbm file wing.stl --size 40 --reynolds 200 --vtk\n"
  "Each writes report.csv, steps and flow.icsr.series, to open in ParaView, and a checkpoint into a folder.";

constexpr const char* units =
  "Lengths, positions and speeds are in sides of the cavity or in diameters, from the lower corner of the box,\n"
  "and in speeds of the lid or stream; with --cell-size, --speed and --viscosity in metres and seconds.\n"
  "Example: ";

/// Takes the name of a choice for its number, or says which there are.
template <class Value>
CLI::Validator choiceOf(const std::map<std::string, Value>& choices) {
  return {[choices](std::string& text) -> std::string {
            if (const auto found = choices.find(text); found != choices.end()) {
              text = std::to_string(static_cast<int>(found->second));
              return {};
            }
            std::string names;
            for (const auto& choice : choices) {
              names += (names.empty() ? "" : ", ") + choice.first;
            }
            return "'" + text + "' is no choice; it must be one of " + names;
          },
    ""};
}

template <class Value>
void addChoice(CLI::App& app, const char* name, Value& value, const std::map<std::string, Value>& choices,
  const char* usual, const char* about) {
  app.add_option(name, value, about)->transform(choiceOf(choices))->default_str(usual)->type_name("")->group("Method");
}

void addSize(CLI::App& app, LbmOptions& options, const std::string& about) {
  app.add_option("--size", options.size, about)->check(CLI::Range(4, 1 << 20))->group("Flow");
}

void addFluid(CLI::App& app, LbmOptions& options, const char* usualReynolds) {
  app.add_option("--reynolds", options.reynolds, "speed times length over viscosity")
    ->check(CLI::PositiveNumber)
    ->default_str(usualReynolds)
    ->group("Fluid");
  app.add_option("--viscosity", options.viscosity, "or the kinematic viscosity in m2/s, with")
    ->check(CLI::PositiveNumber)
    ->group("Fluid");
  app.add_option("--speed", options.speed, "that of lid or stream in m/s, and")
    ->check(CLI::PositiveNumber)
    ->group("Fluid");
  app.add_option("--cell-size", options.cellSize, "the size of cells in m")->check(CLI::PositiveNumber)->group("Fluid");
  app.callback([&options] {
    const int numGiven = (options.viscosity ? 1 : 0) + (options.speed ? 1 : 0) + (options.cellSize ? 1 : 0);
    if (numGiven % 3 != 0 || (numGiven > 0 && options.reynolds)) {
      throw CLI::ValidationError("--reynolds", "give it, or all of --viscosity, --speed and --cell-size instead");
    }
  });
}

void addMethod(CLI::App& app, LbmOptions& options) {
  addChoice<Velocities>(app, "--velocities", options.velocities,
    {{"fewest", Velocities::Fewest}, {"all", Velocities::All}}, "fewest",
    "fewest: D2Q9, D3Q19; all: D3Q27, which prefers no direction");
  addChoice<Collision>(app, "--collision", options.collision,
    {{"two-relaxation", Collision::TwoRelaxation}, {"entropic", Collision::Entropic},
      {"regularised", Collision::Regularised}, {"single-relaxation", Collision::SingleRelaxation}},
    "two-relaxation", "two-relaxation, regularised, single-relaxation; entropic for high Reynolds numbers");
  addChoice<Storage>(app, "--storage", options.storage,
    {{"half", Storage::Half}, {"float", Storage::Float}, {"double", Storage::Double}}, "float",
    "half, float, double: 16, 32 or 64 bits");
  addChoice<Update>(app, "--update", options.update,
    {{"in-place", Update::InPlace}, {"two-populations", Update::TwoPopulations}}, "in-place",
    "in-place; two-populations: twice the memory");
  app.add_option("--smagorinsky", options.smagorinsky, "eddies smaller than cells, usually 0.1 to 0.2")
    ->check(CLI::Range(0.0, 0.99))
    ->capture_default_str()
    ->group("Method");
}

/// Named as those of spanwise-mach2.
void addLevels(CLI::App& app, LbmOptions& options) {
  app
    .add_option("--amr-levels", options.numLevels, "levels of cells at most, each twice as fine; 1: all are of level 0")
    ->check(CLI::Range(1, 8))
    ->capture_default_str()
    ->group("Levels");
  app
    .add_option("--amr-vorticity", options.vorticity,
      "refine where velocities differ by this part of the speed across a cell; 0: only at obstacles and walls")
    ->check(CLI::NonNegativeNumber)
    ->capture_default_str()
    ->group("Levels");
  app.add_flag("--amr-walls", options.refinesWalls, "refine walls of the box to the finest level")->group("Levels");
  app.add_option("--amr-buffer", options.buffer, "cells of each level around what is refined that are refined too")
    ->check(CLI::Range(1, 1 << 20))
    ->capture_default_str()
    ->group("Levels");
  app.add_option("--amr-remesh-stride", options.remeshStride, "steps until levels follow the flow")
    ->check(CLI::PositiveNumber)
    ->capture_default_str()
    ->group("Levels");
}

/// Numbers with commas between them.
std::vector<double> numbersOf(const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& part : CLI::detail::split(text, ',')) {
    double number = 0.0;
    if (!CLI::detail::lexical_cast(part, number)) {
      throw CLI::ValidationError("--probe", text + ": must be x,y or x,y,z, as 0.5,0.25");
    }
    numbers.push_back(number);
  }
  return numbers;
}

void addRun(CLI::App& app, LbmOptions& options, const char* usualSteps, const char* usualTolerance) {
  app.add_option("--max-steps", options.maxSteps, "stop after so many steps")
    ->check(CLI::NonNegativeNumber)
    ->default_str(usualSteps)
    ->group("Run");
  app
    .add_option("--until-steady", options.tolerance,
      "stop where the velocity changes by less than this part of the speed, while half a length is passed; 0: never")
    ->type_name("TOLERANCE")
    ->check(CLI::NonNegativeNumber)
    ->default_str(usualTolerance)
    ->group("Run");
  app.add_option("--restart", options.restart, "go on from FOLDER/checkpoint of a run with the same options")
    ->type_name("FILE")
    ->group("Run");

  app.add_option("--output", options.folder, "folder for all files")->capture_default_str()->group("Output");
  app.add_option("--output-stride", options.outputStride, "write the flow after so many steps; 0: at the end only")
    ->check(CLI::NonNegativeNumber)
    ->default_str("a tenth of the run in 2D, 0 in 3D")
    ->group("Output");
  app.add_flag("--vtk", options.asVtk, "write it as VTK files (.vtpc) too")->group("Output");
  app
    .add_option_function<std::string>(
      "--probe", [&](const std::string& text) { options.probes.push_back(numbersOf(text)); },
      "point whose pressure and velocity report.csv has; may be given again")
    ->trigger_on_parse()
    ->type_name("X,Y[,Z]")
    ->group("Output");
  app.add_flag("--quiet", options.quiet, "no progress bar")->group("Output");
}

/// A sub-command with what all have.
CLI::App& addCase(CLI::App& app, LbmOptions& options, LbmCase flow, const char* name, const char* about) {
  options.flow = flow;
  options.folder = std::string("lbm_") + name;
  CLI::App* const sub = app.add_subcommand(name, about);
  sub->get_formatter()->column_width(34);
  return *sub;
}

void addThreshold(CLI::App& app, LbmOptions& options) {
  app.add_option("--threshold", options.threshold, "of an image, the cells with values from LOWER to UPPER")
    ->expected(2)
    ->delimiter(',')
    ->type_name("LOWER,UPPER")
    ->default_str("0.5 and above")
    ->group("Flow");
}

} // namespace

std::optional<LbmOptions> parseLbmOptions(int argc, char** argv, bool speaks, int& exitCode) {
  CLI::App app(purpose, "spanwise-lbm");
  app.require_subcommand(1);
  app.footer(examples);
  app.get_formatter()->enable_footer_formatting(false);
  std::array<LbmOptions, 5> all;
  auto& [ofCavity, ofCylinder, ofSphere, ofPorous, ofFile] = all;

  CLI::App& cavity = addCase(app, ofCavity, LbmCase::Cavity, "cavity",
    "A square or cube under a lid that moves along x; writes the velocity on the lines through its centre, as Ghia's "
    "tables have it, into centre_lines.csv");
  addSize(cavity, ofCavity, "cells along a side [128; in 3D 48]");
  cavity.add_option("--dimension", ofCavity.dimension, "2 or 3")
    ->check(CLI::IsMember({2, 3}))
    ->capture_default_str()
    ->group("Flow");
  addFluid(cavity, ofCavity, "400");
  addRun(cavity, ofCavity, "100 passes of the lid", "5e-5");
  cavity.footer(std::string(units) + "spanwise-lbm cavity --dimension 3 --reynolds 100 --probe 0.5,0.5,0.9");

  CLI::App& cylinder = addCase(app, ofCylinder, LbmCase::Cylinder, "cylinder",
    "A stream around a cylinder, in the plane: drag and lift coefficients, and the Strouhal number");
  addSize(cylinder, ofCylinder, "cells across the cylinder [20; without a channel 16]");
  cylinder
    .add_flag("--channel", ofCylinder.isChannel,
      "in the channel of Schaefer and Turek, whose mean speed counts, instead of a free stream")
    ->group("Flow");
  addFluid(cylinder, ofCylinder, "100");
  addRun(cylinder, ofCylinder, "150 diameters of the stream", "0");
  cylinder.footer(
    std::string(units) + "spanwise-lbm cylinder --viscosity 1e-6 --speed 0.01 --cell-size 5e-4 --size 20");

  CLI::App& sphere =
    addCase(app, ofSphere, LbmCase::Sphere, "sphere", "A stream around a sphere: its drag coefficient");
  addSize(sphere, ofSphere, "cells across the sphere [10]");
  addFluid(sphere, ofSphere, "100");
  addRun(sphere, ofSphere, "25 diameters of the stream", "0");
  sphere.footer(std::string(units) + "spanwise-lbm sphere --reynolds 50 --until-steady 1e-4");

  CLI::App& porous = addCase(app, ofPorous, LbmCase::Porous, "porous",
    "Slow flow through a bed of spheres that lie at random, or through the pores of a file: the permeability");
  addSize(porous, ofPorous, "cells along a side of the bed, or along the longest side of a surface [64]");
  porous.add_option("--spheres", ofPorous.numSpheres, "how many are in the bed, which repeats; 1: a cubic array")
    ->check(CLI::Range(1, 2000))
    ->capture_default_str()
    ->group("Flow");
  porous.add_option("--porosity", ofPorous.porosity, "part of the bed that is fluid: the spheres' size follows")
    ->check(CLI::Range(0.4, 0.999))
    ->capture_default_str()
    ->group("Flow");
  porous.add_option("--seed", ofPorous.seed, "another bed for each number")->capture_default_str()->group("Flow");
  porous.add_option("--pores", ofPorous.file, "cells of a file as the pores instead: .icsr, .vti, .stl, .vtp or .ply")
    ->check(CLI::ExistingFile)
    ->group("Flow");
  addThreshold(porous, ofPorous);
  porous.add_option("--axis", ofPorous.axis, "along which it flows")
    ->transform(choiceOf(std::map<std::string, int>{{"x", 0}, {"y", 1}, {"z", 2}}))
    ->default_str("x")
    ->type_name("")
    ->group("Flow");
  porous.add_option("--cell-size", ofPorous.cellSize, "in m: the permeability is in m2 then, else in cells squared")
    ->check(CLI::PositiveNumber)
    ->group("Fluid");
  porous.add_option("--viscosity", ofPorous.viscosity, "kinematic, in m2/s: for times and speeds")
    ->check(CLI::PositiveNumber)
    ->default_str("1; with --cell-size 1e-6, that of water")
    ->group("Fluid");
  addRun(porous, ofPorous, "until steady, or 50 checks", "1e-4");
  porous.footer("Lengths are in cells, or in metres with --cell-size; the permeability is in their square.\n"
                "Example: spanwise-lbm porous --pores scan.vti --threshold 0,120 --axis z --cell-size 5e-6");

  CLI::App& file = addCase(
    app, ofFile, LbmCase::File, "file", "A stream along x around the cells of a file: drag and lift coefficients");
  file.add_option("obstacle", ofFile.file, "an .icsr set, an image .vti, or a closed surface .stl, .vtp or .ply")
    ->required()
    ->check(CLI::ExistingFile)
    ->type_name("FILE");
  addSize(file, ofFile, "cells along its longest side [10]; not with --cell-size");
  file.add_option("--room", ofFile.room, "around it, in its lengths: upstream, downstream and beside")
    ->check(CLI::NonNegativeNumber)
    ->delimiter(',')
    ->type_name("UP,DOWN,BESIDE")
    ->default_str("2,6,2")
    ->group("Flow");
  addThreshold(file, ofFile);
  addFluid(file, ofFile, "100");
  addRun(file, ofFile, "25 of its lengths in the stream", "0");
  file.footer(
    "Lengths and positions are those of the file, its longest side is the length of the Reynolds number, and the\n"
    "speed is 1; with --cell-size, --speed and --viscosity all is in metres and seconds.\n"
    "Example: spanwise-lbm file wing.stl --size 40 --reynolds 200 --vtk");

  const std::array<CLI::App*, 5> subs = {&cavity, &cylinder, &sphere, &porous, &file};
  for (std::size_t k = 0; k < subs.size(); ++k) {
    if (all[k].flow != LbmCase::Porous) {
      subs[k]
        ->add_option("--lattice-speed", all[k].latticeSpeed, "cells that lid or stream passes in a step")
        ->check(CLI::Range(1e-6, 0.3))
        ->default_str(all[k].flow == LbmCase::Cylinder ? "0.1; in a channel 0.05" : "0.1")
        ->group("Method");
      addLevels(*subs[k], all[k]);
    }
    addMethod(*subs[k], all[k]);
  }

  if (!parseProgram(app, argc, argv, speaks, exitCode)) {
    return std::nullopt;
  }
  for (std::size_t k = 0; k < subs.size(); ++k) {
    if (subs[k]->parsed()) {
      return all[k];
    }
  }
  return std::nullopt;
}
