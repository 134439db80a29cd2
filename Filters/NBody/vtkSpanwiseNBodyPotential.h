/**
 * @class   vtkSpanwiseNBodyPotential
 * @brief   the potential and the field of charged particles
 *
 * Particles are the points of the input, or the centres of its cells, each with a charge (a mass, a moment). The output
 * is the input with two arrays more: "Potential", F times the sum over all other particles j of k(x - y_j) q_j, and
 * "Field", minus its gradient, where F is the factor and k the interaction: 1 / r, ln r, exp(- r^2 / sigma^2),
 * exp(- kappa r) / r, or p . d / r^3 of dipoles. With a second input it is that data set with the arrays, and the sum
 * is over all particles. There is no hidden factor: the electrostatic potential in SI units has F = 1 / (4 pi
 * epsilon_0), that of gravity - G, with the acceleration as field, and that of a line charge in the plane F < 0 with
 * ln r. Particles in the same place do nothing to each other where k is infinite at r = 0.
 *
 * Of blocks the sum is over the particles of all of them, and the output has the same blocks. Charges must be an array
 * in each.
 *
 * A charge array of n components makes n potentials, and n fields one after the other; that of dipoles has 3 for each.
 * The field data have "N-Body Interactions", the pairs that were summed one by one, and "N-Body Method", how.
 *
 * In a periodic box particles are repeated for ever, and sums are over all images too: by Ewald's sums, or by
 * multipoles in a cube. 1 / r and ln r need charges that add up to zero; the boundary at infinity is a conductor (tin
 * foil), so the dipole moment of the box makes no field, and potentials have no constant part. Particles and targets
 * outside the box are taken at their places in it.
 *
 * Particles that vtkGhostType marks as duplicate or hidden do not act, but get the arrays, and neither do points that a
 * rank or a piece before has too (notOwnPoints()). Where errors are looked at and multipoles do not keep the accuracy,
 * there is a warning. In parallel each
 * rank has the sums of all ranks' particles at its own targets. For direct sums it keeps the places and charges of all
 * of them; by multipoles ranks share the work, and each keeps its part. The field data then have
 * "N-Body Ranks", a tuple for each rank (targets and sources of its part, sources of others and nodes for them that it
 * was sent, messages and bytes that it sent, pairs that it took one by one), and "N-Body Imbalance", the largest work
 * of a rank over the mean. O(particles * targets), by multipoles O(particles + targets).
 */
#ifndef vtkSpanwiseNBodyPotential_h
#define vtkSpanwiseNBodyPotential_h

#include "spanwiseNBodyModule.h"
#include "vtkSpanwiseMeshAlgorithm.h"

#include <string>

class vtkDataArray;

namespace spanwise {
struct ParticleProblem;
struct ParticleSums;
} // namespace spanwise

class SPANWISENBODY_EXPORT vtkSpanwiseNBodyPotential : public vtkSpanwiseMeshAlgorithm {
public:
  static vtkSpanwiseNBodyPotential* New();
  vtkTypeMacro(vtkSpanwiseNBodyPotential, vtkSpanwiseMeshAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum PlacesEnum { POINTS = 0, CELL_CENTRES = 1 };
  ///@{
  /**
   * Whether particles are points or centres of cells, and where the sums are made at in a second input. Defaults: both
   * POINTS. Where there is no second input, targets are the particles.
   */
  vtkSetMacro(Particles, int);
  vtkGetMacro(Particles, int);
  vtkSetMacro(Targets, int);
  vtkGetMacro(Targets, int);
  ///@}

  enum ChargesEnum { UNIT = 0, ARRAY = 1, DENSITY_ARRAY = 2 };
  ///@{
  /**
   * Charges: 1 each, those of the array that SetInputArrayToProcess(0, ...) names, or, of cells, that array times the
   * cell's length, area or volume. Default: UNIT.
   */
  vtkSetMacro(Charges, int);
  vtkGetMacro(Charges, int);
  ///@}

  enum InteractionEnum { INVERSE_DISTANCE = 0, LOGARITHM = 1, GAUSSIAN = 2, YUKAWA = 3, DIPOLE = 4 };
  ///@{
  /**
   * What a unit charge does at the distance r. Default: INVERSE_DISTANCE.
   */
  vtkSetMacro(Interaction, int);
  vtkGetMacro(Interaction, int);
  ///@}

  ///@{
  /**
   * The length epsilon of 1 / sqrt(r^2 + epsilon^2), with INVERSE_DISTANCE; 0: none. Default: 0.
   */
  vtkSetMacro(Softening, double);
  vtkGetMacro(Softening, double);
  ///@}

  ///@{
  /**
   * sigma of GAUSSIAN, positive. Default: 1.
   */
  vtkSetMacro(Width, double);
  vtkGetMacro(Width, double);
  ///@}

  ///@{
  /**
   * kappa of YUKAWA, the inverse screening length, not negative. Default: 1.
   */
  vtkSetMacro(Screening, double);
  vtkGetMacro(Screening, double);
  ///@}

  ///@{
  /**
   * What sums are multiplied with. Default: 1.
   */
  vtkSetMacro(Factor, double);
  vtkGetMacro(Factor, double);
  ///@}

  enum MethodEnum { AUTOMATIC = 0, FAST_MULTIPOLE = 8, DIRECT = 9 };
  ///@{
  /**
   * How sums are made. FAST_MULTIPOLE is as accurate as Accuracy says, and its cost grows linearly. DIRECT takes each
   * pair. Default: AUTOMATIC, which is DIRECT, or FAST_MULTIPOLE from so many pairs on that it is faster over some
   * thirty sums (nbody::chooseMethod()), where the accuracy is within its reach. The values 1 to 7 of state files,
   * which were ways to write direct sums, are DIRECT.
   */
  vtkSetMacro(Method, int);
  vtkGetMacro(Method, int);
  ///@}

  ///@{
  /**
   * The largest error of sums by multipoles, relative to what they would be were nothing cancelled: 0.1 to 1e-11, to
   * 1e-9 for fields and dipoles, to 1e-5 in single precision. Default: 1e-6.
   */
  vtkSetMacro(Accuracy, double);
  vtkGetMacro(Accuracy, double);
  ///@}

  ///@{
  /**
   * At how many targets of each rank sums (of the first component) are compared with direct ones in double. The field
   * data then have "N-Body Potential Error" and "N-Body Field Error": the relative error in the mean (L2) and the
   * largest as for Accuracy, both the largest of all ranks. Default: 0.
   */
  vtkSetMacro(ErrorSamples, int);
  vtkGetMacro(ErrorSamples, int);
  ///@}

  ///@{
  /**
   * Whether particles are repeated for ever, and the box they are repeated with: the least and greatest x, y and z. The
   * methods are FAST_MULTIPOLE, for a cube, DIRECT, which is Ewald's sums, and AUTOMATIC: the first from 1e7 pairs on
   * in a cube. Default: false, and 0 to 1.
   */
  vtkSetMacro(PeriodicBox, bool);
  vtkGetMacro(PeriodicBox, bool);
  vtkBooleanMacro(PeriodicBox, bool);
  vtkSetVector6Macro(PeriodBounds, double);
  vtkGetVector6Macro(PeriodBounds, double);
  ///@}

  ///@{
  /**
   * Whether sums are made in float, which is faster. Default: false.
   */
  vtkSetMacro(SinglePrecision, bool);
  vtkGetMacro(SinglePrecision, bool);
  vtkBooleanMacro(SinglePrecision, bool);
  ///@}

  ///@{
  /**
   * Which arrays are made. Default: both.
   */
  vtkSetMacro(ComputePotential, bool);
  vtkGetMacro(ComputePotential, bool);
  vtkBooleanMacro(ComputePotential, bool);
  vtkSetMacro(ComputeField, bool);
  vtkGetMacro(ComputeField, bool);
  vtkBooleanMacro(ComputeField, bool);
  ///@}

protected:
  vtkSpanwiseNBodyPotential();
  ~vtkSpanwiseNBodyPotential() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* input,
    vtkDataObject* output) override;

  int Particles = POINTS;
  int Targets = POINTS;
  int Charges = UNIT;
  int Interaction = INVERSE_DISTANCE;
  double Softening = 0.0;
  double Width = 1.0;
  double Screening = 1.0;
  double Factor = 1.0;
  int Method = AUTOMATIC;
  double Accuracy = 1e-6;
  int ErrorSamples = 0;
  bool PeriodicBox = false;
  double PeriodBounds[6] = {0.0, 1.0, 0.0, 1.0, 0.0, 1.0};
  bool SinglePrecision = false;
  bool ComputePotential = true;
  bool ComputeField = true;

private:
  vtkSpanwiseNBodyPotential(const vtkSpanwiseNBodyPotential&) = delete;
  void operator=(const vtkSpanwiseNBodyPotential&) = delete;

  void CheckProperties() const;
  spanwise::ParticleProblem GetProblem() const;
  vtkDataArray* GetCharges(vtkDataSet* input);
  /// Collective. Writes how sums were made into the field data of the output, if this rank has one, and warns where
  /// they are not what was asked for.
  void Tell(const spanwise::RankGroup& group, const spanwise::ParticleSums& sums, vtkDataObject* output);
};

#endif
