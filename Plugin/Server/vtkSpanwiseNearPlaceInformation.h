/**
 * @class vtkSpanwiseNearPlaceInformation
 * @brief A place in a cell of an output of a source or filter, near a wanted one, over all processes of the server
 *
 * Gather it from a source's proxy. It tells of the data that the output holds now and executes nothing.
 */

#ifndef vtkSpanwiseNearPlaceInformation_h
#define vtkSpanwiseNearPlaceInformation_h

#include "spanwiseServerModule.h"
#include "vtkPVInformation.h"

#include <limits>

class SPANWISESERVER_EXPORT vtkSpanwiseNearPlaceInformation : public vtkPVInformation {
public:
  static vtkSpanwiseNearPlaceInformation* New();
  vtkTypeMacro(vtkSpanwiseNearPlaceInformation, vtkPVInformation);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * What to gather: the output by its number (default 0), and the place to be near to (default 0, 0, 0).
   */
  vtkSetMacro(PortNumber, int);
  vtkGetMacro(PortNumber, int);
  vtkSetVector3Macro(Wanted, double);
  vtkGetVector3Macro(Wanted, double);
  ///@}

  void CopyFromObject(vtkObject* object) override;
  void AddInformation(vtkPVInformation* information) override;
  void CopyToStream(vtkClientServerStream* stream) override;
  void CopyFromStream(const vtkClientServerStream* stream) override;
  void CopyParametersToStream(vtkMultiProcessStream& stream) override;
  void CopyParametersFromStream(vtkMultiProcessStream& stream) override;

  ///@{
  /**
   * What was gathered: a place in a cell, and the square of its distance from the wanted one; infinite without cells.
   */
  vtkGetVector3Macro(Place, double);
  vtkGetMacro(SquaredDistance, double);
  ///@}

protected:
  vtkSpanwiseNearPlaceInformation() = default;
  ~vtkSpanwiseNearPlaceInformation() override = default;

private:
  vtkSpanwiseNearPlaceInformation(const vtkSpanwiseNearPlaceInformation&) = delete;
  void operator=(const vtkSpanwiseNearPlaceInformation&) = delete;

  int PortNumber = 0;
  double Wanted[3] = {0.0, 0.0, 0.0};
  double Place[3] = {0.0, 0.0, 0.0};
  double SquaredDistance = std::numeric_limits<double>::infinity();
};

#endif
