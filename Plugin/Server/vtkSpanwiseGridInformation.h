/**
 * @class vtkSpanwiseGridInformation
 * @brief The intervals behind an output of a source or filter, over all processes of the server
 *
 * Gather it from a source's proxy. It tells of the data that the output holds now and executes nothing. Counts are sums
 * over the processes and over the datasets of a collection.
 */

#ifndef vtkSpanwiseGridInformation_h
#define vtkSpanwiseGridInformation_h

#include "spanwiseServerModule.h"
#include "vtkPVInformation.h"
#include "vtkType.h"

#include <memory>
#include <string>

namespace spanwise {
struct GridSummary;
}

class SPANWISESERVER_EXPORT vtkSpanwiseGridInformation : public vtkPVInformation {
public:
  static vtkSpanwiseGridInformation* New();
  vtkTypeMacro(vtkSpanwiseGridInformation, vtkPVInformation);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * What to gather: the output by its number (default 0), and how many rows to show (default 100).
   */
  vtkSetMacro(PortNumber, int);
  vtkGetMacro(PortNumber, int);
  void SetMaximumNumberOfRows(int rows);
  int GetMaximumNumberOfRows() const;
  ///@}

  /// Shows the intervals that hold this cell (and the other cells that were added) instead of the first rows. A
  /// negative rank stands for every process.
  void AddCell(int rank, vtkIdType cell);

  void CopyFromObject(vtkObject* object) override;
  void AddInformation(vtkPVInformation* information) override;
  void CopyToStream(vtkClientServerStream* stream) override;
  void CopyFromStream(const vtkClientServerStream* stream) override;
  void CopyParametersToStream(vtkMultiProcessStream& stream) override;
  void CopyParametersFromStream(vtkMultiProcessStream& stream) override;

  ///@{
  /**
   * What was gathered. The dimension is 0 without intervals, and if both 2D and 3D sets are there.
   */
  int GetDimension() const;
  vtkIdType GetNumberOfRows() const;
  vtkIdType GetNumberOfIntervals() const;
  vtkIdType GetNumberOfCells() const;
  /// How many tables and datasets are there that are not empty and carry no intervals.
  int GetNumberOfOthers() const;
  vtkTypeUInt64 GetGeometryBytes() const;
  int GetNumberOfLevels() const;
  /// The levels, one in a line: numbers of rows, intervals and cells, and bytes of geometry.
  std::string GetLevelsAsText() const;
  /// The rows that are shown, one in a line: its key and its intervals. Each of several levels has its share of them.
  std::string GetRowsAsText() const;
  ///@}

#ifndef __VTK_WRAP__
  const spanwise::GridSummary& Summary() const;
#endif

protected:
  vtkSpanwiseGridInformation();
  ~vtkSpanwiseGridInformation() override;

private:
  vtkSpanwiseGridInformation(const vtkSpanwiseGridInformation&) = delete;
  void operator=(const vtkSpanwiseGridInformation&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Data;
  int PortNumber = 0;
};

#endif
