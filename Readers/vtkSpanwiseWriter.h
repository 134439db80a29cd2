/**
 * @class   vtkSpanwiseWriter
 * @brief   writes grids made of intervals to .icsr files
 *
 * The input is a grid that carries intervals; any dataset of axis-aligned equal cells that they can be rebuilt from
 * (see vtkSpanwiseGridToIntervals); or a hierarchy of levels, or what vtkSpanwiseGridToLevels makes one of: an AMR
 * hierarchy, a hyper tree grid, a composite of datasets. Cells that vtkGhostType marks as duplicate, hidden or refined
 * are not written. With the cells go origin, spacing and level, all cell arrays of numbers with their units, component
 * names and roles (scalars, global ids ...), the point arrays if the points are those of the intervals, the field data
 * (numbers and texts), and the time.
 *
 * The file is written under a temporary name in the same folder and renamed when it is complete, so that a failure, a
 * full disk or a crash leaves an older file as it was. So does an input that could not be computed, however empty it
 * is: that is an error. Several ranks write their own rows to one file, one after the other. The format is described in
 * Documentation/FileFormat.md.
 */
#ifndef vtkSpanwiseWriter_h
#define vtkSpanwiseWriter_h

#include "spanwiseReadersModule.h"
#include "vtkSpanwiseFileWriter.h"

#include <memory>

namespace spanwise {
class StepWriter;
}

class SPANWISEREADERS_EXPORT vtkSpanwiseWriter : public vtkSpanwiseFileWriter {
public:
  static vtkSpanwiseWriter* New();
  vtkTypeMacro(vtkSpanwiseWriter, vtkSpanwiseFileWriter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The level of deflate, from 0 (none, fastest) to 9 (smallest, slowest). Default: 0.
   */
  vtkSetClampMacro(CompressionLevel, int, 0, 9);
  vtkGetMacro(CompressionLevel, int);
  ///@}

  ///@{
  /**
   * Whether all time steps of the input are written, or only the one that it shows now. Steps with the same cells share
   * them in the file. Default: false.
   */
  vtkSetMacro(WriteAllTimeSteps, bool);
  vtkGetMacro(WriteAllTimeSteps, bool);
  vtkBooleanMacro(WriteAllTimeSteps, bool);
  ///@}

protected:
  vtkSpanwiseWriter();
  ~vtkSpanwiseWriter() override;

  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  int CompressionLevel = 0;
  bool WriteAllTimeSteps = false;

private:
  vtkSpanwiseWriter(const vtkSpanwiseWriter&) = delete;
  void operator=(const vtkSpanwiseWriter&) = delete;

  int NumberOfSteps = 0;
  int CurrentStep = 0;
  std::unique_ptr<spanwise::StepWriter> Steps; // while a file is being written
};

#endif
