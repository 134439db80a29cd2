/**
 * @class   vtkSpanwiseFileWriter
 * @brief   superclass of writers of one file for all ranks
 *
 * What is the same for all of them stands here: any data object is taken as a whole, each rank has its own part of it,
 * and an input that could not be computed is an error, however empty it is. Subclasses write in RequestData().
 */
#ifndef vtkSpanwiseFileWriter_h
#define vtkSpanwiseFileWriter_h

#include "SpanwiseController.h"
#include "spanwiseReadersModule.h"
#include "vtkWriter.h"

#include <string>

namespace spanwise {
class RankGroup;
}

class SPANWISEREADERS_EXPORT vtkSpanwiseFileWriter : public vtkWriter {
public:
  vtkAbstractTypeMacro(vtkSpanwiseFileWriter, vtkWriter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Writes the file. Returns 1, or 0 after an error, also if the input could not be computed.
   */
  int Write() override;

  ///@{
  /**
   * The file. What is there is replaced.
   */
  vtkSetFilePathMacro(FileName);
  vtkGetFilePathMacro(FileName);
  ///@}

protected:
  vtkSpanwiseFileWriter() = default;
  ~vtkSpanwiseFileWriter() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  vtkTypeBool ProcessRequest(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  virtual int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  virtual int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override = 0;
  void WriteData() override;

  /**
   * The first thing that RequestData() of a subclass calls, collectively: notes that data came. Throws where something
   * upstream failed. Returns the name of the file.
   */
  std::string Begin(const spanwise::RankGroup& group);

  char* FileName = nullptr;

  SPANWISE_CONTROLLER(); // each rank has its own part of the input

private:
  vtkSpanwiseFileWriter(const vtkSpanwiseFileWriter&) = delete;
  void operator=(const vtkSpanwiseFileWriter&) = delete;

  bool WasAsked = false; // for data, by Write()
};

#endif
