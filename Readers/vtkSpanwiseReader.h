/**
 * @class   vtkSpanwiseReader
 * @brief   reads grids made of intervals from .icsr files
 *
 * The output is a vtkUnstructuredGrid that carries the intervals: nothing is exploded. Where a step of the file has
 * several levels the output is a vtkPartitionedDataSetCollection with such a grid for each level. Cell and point arrays
 * can be chosen by name; what is not chosen is not read. A file may hold several time steps; steps that share their
 * cells in the file share them in memory. Asked for a piece, the reader reads the rows of that piece and no others:
 * pieces are cut by whole rows (2D) or planes of equal z (3D) into nearly equal numbers of cells, hierarchies by those
 * of level 0.
 *
 * A pass opens and parses the file once, and further passes over a file that is unchanged only open it. It is closed
 * when the data was read; where only information was asked for, when the reader is asked again or goes, or at once if
 * many readers hold files open.
 *
 * Everything in a file is checked before it is used. A file that is damaged, cut off or made to do harm gives one error
 * and an empty output. The format is described in Documentation/FileFormat.md.
 */
#ifndef vtkSpanwiseReader_h
#define vtkSpanwiseReader_h

#include "spanwiseReadersModule.h"
#include "vtkSpanwiseFileReader.h"

#include <memory>

class SPANWISEREADERS_EXPORT vtkSpanwiseReader : public vtkSpanwiseFileReader {
public:
  static vtkSpanwiseReader* New();
  vtkTypeMacro(vtkSpanwiseReader, vtkSpanwiseFileReader);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Whether a file says that it is an .icsr file, damaged or not. Reads a few thousand bytes and reports no errors.
   */
  virtual int CanReadFile(const char* name);

  ///@{
  /**
   * Which arrays are read: all, unless they are switched off. Names are known after UpdateInformation().
   */
  virtual vtkDataArraySelection* GetCellDataArraySelection();
  virtual vtkDataArraySelection* GetPointDataArraySelection();
  ///@}

  vtkMTimeType GetMTime() override;

protected:
  vtkSpanwiseReader();
  ~vtkSpanwiseReader() override;

  bool HasSeveralGrids(const std::string& file) override;
  void ReadInformation(const std::string& file, vtkInformation* info) override;
  void ReadOutput(const std::string& file, const spanwise::RankGroup& group, vtkDataObject* output) override;

private:
  vtkSpanwiseReader(const vtkSpanwiseReader&) = delete;
  void operator=(const vtkSpanwiseReader&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Impl;
  vtkNew<vtkDataArraySelection> PointDataArraySelection;
};

#endif
