/**
 * @class   vtkSpanwiseOpenVDBWriter
 * @brief   writes grids made of intervals to .vdb files
 *
 * The input is a grid that carries intervals, any dataset of axis-aligned equal cells that they can be rebuilt from
 * (see vtkSpanwiseGridToIntervals), or a vtkPartitionedDataSetCollection of such. Each cell array becomes a grid of the
 * file with the array's name, and a dataset without arrays a mask grid, called as the dataset or "mask". In a
 * collection names are DATASET.ARRAY, or DATASET where both are the same. Cells become active voxels whose centres are
 * those of the cells; those of a 2D grid are one layer, around its plane. Cells that vtkGhostType marks are left out.
 *
 * | array | grid |
 * |---|---|
 * | char, unsigned char and bits with 0 and 1 alone | bool |
 * | integers of up to 32 bits | int32 |
 * | unsigned int, longer integers | int64 |
 * | float, double | float, double |
 * | 3 components of the above | vec3i (up to 32 bits), vec3s, vec3d |
 *
 * Other arrays are left out, with a warning. The array LevelSetArray becomes a level set: a grid of floats of that
 * class, whose background is the greatest distance, and whose voxels that are not active are inside or outside as the
 * nearest cells. Its cells must hold a whole band on both sides of the surface, as vtkSpanwiseSignedDistanceToSet makes
 * it.
 *
 * The file replaces an older one when it is complete, and not before. One process makes it: rank 0 gets the cells of
 * all ranks. There is one time step in a file. OpenVDB 3.0 (2015) and newer read it.
 */
#ifndef vtkSpanwiseOpenVDBWriter_h
#define vtkSpanwiseOpenVDBWriter_h

#include "spanwiseReadersModule.h"
#include "vtkSpanwiseFileWriter.h"

class SPANWISEREADERS_EXPORT vtkSpanwiseOpenVDBWriter : public vtkSpanwiseFileWriter {
public:
  static vtkSpanwiseOpenVDBWriter* New();
  vtkTypeMacro(vtkSpanwiseOpenVDBWriter, vtkSpanwiseFileWriter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The cell array that is written as a level set: distances, negative inside, rounded to float. Empty: none. Default:
   * "Signed Distance".
   */
  vtkSetStringMacro(LevelSetArray);
  vtkGetStringMacro(LevelSetArray);
  ///@}

protected:
  vtkSpanwiseOpenVDBWriter();
  ~vtkSpanwiseOpenVDBWriter() override;

  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  char* LevelSetArray = nullptr;

private:
  vtkSpanwiseOpenVDBWriter(const vtkSpanwiseOpenVDBWriter&) = delete;
  void operator=(const vtkSpanwiseOpenVDBWriter&) = delete;
};

#endif
