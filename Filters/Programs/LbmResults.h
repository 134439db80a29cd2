#ifndef LbmResults_h
#define LbmResults_h

#include "LbmFlow.h"
#include "LbmOptions.h"
#include "ProgramFolder.h"

#include "SpanwiseLatticeRun.h"

#include <string>

class vtkTable;

/// The history of a run, with coefficients of its forces. Not collective.
void fillLbmReport(const spanwise::LatticeRun& run, const LbmPlan& plan, vtkTable* table);

/// Collective. Writes centre_lines.csv of a cavity: the velocity along the lid on the line through the centre towards
/// the lid, and that towards the lid on the line along it, with those of the walls.
void writeCentreLines(
  spanwise::LatticeRun& run, const LbmOptions& asked, const LbmPlan& plan, int dimension, const ProgramFolder& folder);

/// What a run has found, line by line. Means are those of the later half of the time. Not collective.
std::string lbmSummary(const LbmOptions& asked, const spanwise::LatticeRun& run, const LbmPlan& plan);

#endif
