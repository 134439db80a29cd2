/**
 * @class   vtkSpanwiseLevelsToOverlappingAMR
 * @brief   a hierarchy of levels as a vtkOverlappingAMR
 *
 * The blocks of level 0 are boxes that together cover its leaves and the cells above finer leaves; those of each other
 * level cover the cells of the level below that are above leaves. Equal runs of neighbouring rows become a rectangle,
 * and equal rectangles of neighbouring planes a box. In vtkGhostType cells above finer leaves are marked as refined;
 * they have the mean of what is in them, whole numbers and texts the first of it. Cells where nothing is are hidden. So
 * every place is shown once, and coarse values lie under fine ones, as filters for AMR expect. Block indices count from
 * the lowest corner of the domain.
 *
 * The input is whatever vtkSpanwiseGridToLevels takes. O(cells log cells). In parallel every rank makes the blocks of
 * its planes of level 0, and all know where each block lies.
 */
#ifndef vtkSpanwiseLevelsToOverlappingAMR_h
#define vtkSpanwiseLevelsToOverlappingAMR_h

#include "spanwiseMultilevelModule.h"
#include "vtkSpanwiseLevelsAlgorithm.h"

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseLevelsToOverlappingAMR : public vtkSpanwiseLevelsAlgorithm {
public:
  static vtkSpanwiseLevelsToOverlappingAMR* New();
  vtkTypeMacro(vtkSpanwiseLevelsToOverlappingAMR, vtkSpanwiseLevelsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwiseLevelsToOverlappingAMR() = default;
  ~vtkSpanwiseLevelsToOverlappingAMR() override = default;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) override;

private:
  vtkSpanwiseLevelsToOverlappingAMR(const vtkSpanwiseLevelsToOverlappingAMR&) = delete;
  void operator=(const vtkSpanwiseLevelsToOverlappingAMR&) = delete;
};

#endif
