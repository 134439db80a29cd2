/**
 * @class   vtkSpanwiseFileReader
 * @brief   superclass of readers of one file that has one grid, or several
 *
 * What is the same for all of them stands here: the type of the output follows from the file, parts of it are chosen by
 * name, and a file that cannot be read is one error of all ranks and an empty output.
 */
#ifndef vtkSpanwiseFileReader_h
#define vtkSpanwiseFileReader_h

#include "spanwiseReadersModule.h"
#include "vtkSpanwiseGridAlgorithm.h"

#include <vtkNew.h>

#include <optional>
#include <string>

class vtkDataArraySelection;

class SPANWISEREADERS_EXPORT vtkSpanwiseFileReader : public vtkSpanwiseGridAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwiseFileReader, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The file.
   */
  vtkSetFilePathMacro(FileName);
  vtkGetFilePathMacro(FileName);
  ///@}

  vtkMTimeType GetMTime() override;

  vtkTypeBool ProcessRequest(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

protected:
  vtkSpanwiseFileReader();
  ~vtkSpanwiseFileReader() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;

  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  ///@{
  /**
   * What subclasses read: whether the output is a collection of grids rather than a grid; names for the selection, and
   * times; and the output. They throw where the file cannot be read. Only the last one is told to people, and only that
   * one is collective.
   */
  virtual bool HasSeveralGrids(const std::string& file) = 0;
  virtual void ReadInformation(const std::string& file, vtkInformation* info) = 0;
  virtual void ReadOutput(const std::string& file, const spanwise::RankGroup& group, vtkDataObject* output) = 0;
  ///@}

  char* FileName = nullptr;
  vtkNew<vtkDataArraySelection> Selection; ///< what is read, by name
  std::optional<double> Time;              ///< for ReadOutput(): what is asked for, if anything is

private:
  vtkSpanwiseFileReader(const vtkSpanwiseFileReader&) = delete;
  void operator=(const vtkSpanwiseFileReader&) = delete;

  void SetOutputType(vtkInformationVector* outputs);
  void Read(const spanwise::RankGroup& group, vtkDataObject* output);
};

#endif
