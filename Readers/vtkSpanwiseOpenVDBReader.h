/**
 * @class   vtkSpanwiseOpenVDBReader
 * @brief   reads grids of .vdb files as grids made of intervals
 *
 * Active voxels become cells, and those of a tile are runs: nothing is made dense. A file with one grid gives a
 * vtkUnstructuredGrid that carries the intervals. One with several gives a vtkPartitionedDataSetCollection with such a
 * grid for each that is chosen, called as in the file. Values are a cell array with the name of the grid: unsigned char
 * for bool, int or long long, float for half and float, double, and three components for vectors. A mask has none.
 * Field data says the class of a grid ("GridClass"), such as "level set".
 *
 * A voxel has its centre where the transform puts its index, so the origin of cells is half a voxel below. Transforms
 * may scale along the axes, by positive numbers, and translate. A grid that is rotated, sheared, mirrored or a frustum
 * is an error that names it, unless it is not chosen. Asked for a piece, the reader makes whole layers of 8 planes of
 * z, and reads the values of no others.
 *
 * Files of the versions 222 to 225 of the format are read: those of OpenVDB 2.0 (2013) and newer. Everything in a file
 * is checked before it is used. A file that is damaged, cut off or made to do harm gives one error and an empty output.
 * Values that are compressed with Blosc, as most are, need a build with Blosc.
 */
#ifndef vtkSpanwiseOpenVDBReader_h
#define vtkSpanwiseOpenVDBReader_h

#include "spanwiseReadersModule.h"
#include "vtkSpanwiseFileReader.h"

class SPANWISEREADERS_EXPORT vtkSpanwiseOpenVDBReader : public vtkSpanwiseFileReader {
public:
  static vtkSpanwiseOpenVDBReader* New();
  vtkTypeMacro(vtkSpanwiseOpenVDBReader, vtkSpanwiseFileReader);

  /**
   * Whether a file begins as .vdb files do, damaged or not. Reads 8 bytes and reports no errors.
   */
  virtual int CanReadFile(const char* name);

  /**
   * Which grids are read: all, unless they are switched off. Names are known after UpdateInformation().
   */
  virtual vtkDataArraySelection* GetGridSelection();

protected:
  vtkSpanwiseOpenVDBReader();
  ~vtkSpanwiseOpenVDBReader() override = default;

  bool HasSeveralGrids(const std::string& file) override;
  void ReadInformation(const std::string& file, vtkInformation* info) override;
  void ReadOutput(const std::string& file, const spanwise::RankGroup& group, vtkDataObject* output) override;

private:
  vtkSpanwiseOpenVDBReader(const vtkSpanwiseOpenVDBReader&) = delete;
  void operator=(const vtkSpanwiseOpenVDBReader&) = delete;
};

#endif
