/**
 * @class   vtkSpanwiseSamuraiReader
 * @brief   reads meshes and fields of samurai as grids made of intervals
 *
 * samurai (https://github.com/hpc-maths/samurai) solves equations on adaptive meshes of intervals. samurai::dump writes
 * them as such to HDF5 files (.h5), and this reader keeps them: no cell is made explicit. Where the mesh has several
 * levels the output is a vtkPartitionedDataSetCollection with a grid for each: level 0 is the least level of the mesh.
 * The field array SamuraiLevel has the number l that a level has in samurai, with cells of scaling_factor / 2^l. A mesh
 * of a single level is a vtkUnstructuredGrid that carries the intervals. Fields are cell arrays with as many components
 * as they have.
 *
 * What several processes wrote is put together. Asked for a piece, the reader makes whole planes (rows in 2D) of level
 * 0, cut into nearly equal numbers of cells; it reads all intervals for that, and no values of other planes. A file has
 * one time step, with the attribute "time" of the file if there is one.
 *
 * Meshes of 2 and 3 dimensions are read. Everything in a file is checked before it is used: one that is damaged, cut
 * off or made to do harm gives one error and an empty output. So does a file of samurai::save, which has points and
 * cells instead of intervals.
 */
#ifndef vtkSpanwiseSamuraiReader_h
#define vtkSpanwiseSamuraiReader_h

#include "spanwiseReadersModule.h"
#include "vtkSpanwiseFileReader.h"

class SPANWISEREADERS_EXPORT vtkSpanwiseSamuraiReader : public vtkSpanwiseFileReader {
public:
  static vtkSpanwiseSamuraiReader* New();
  vtkTypeMacro(vtkSpanwiseSamuraiReader, vtkSpanwiseFileReader);

  /**
   * Whether a file is an HDF5 file with the names that samurai::dump writes. Reads a few thousand bytes and reports no
   * errors.
   */
  virtual int CanReadFile(const char* name);

  /**
   * Which fields are read: all, unless they are switched off. Names are known after UpdateInformation().
   */
  virtual vtkDataArraySelection* GetCellDataArraySelection();

protected:
  vtkSpanwiseSamuraiReader();
  ~vtkSpanwiseSamuraiReader() override = default;

  bool HasSeveralGrids(const std::string& file) override;
  void ReadInformation(const std::string& file, vtkInformation* info) override;
  void ReadOutput(const std::string& file, const spanwise::RankGroup& group, vtkDataObject* output) override;

private:
  vtkSpanwiseSamuraiReader(const vtkSpanwiseSamuraiReader&) = delete;
  void operator=(const vtkSpanwiseSamuraiReader&) = delete;
};

#endif
