#ifndef SpanwiseMemoryEstimate_h
#define SpanwiseMemoryEstimate_h

// How much memory a filter's output will take, before it executes.

#include <QtGlobal>

#include <optional>

class vtkSMProperty;
class vtkSMProxy;

namespace spanwise {

struct MemoryEstimate {
  qint64 cells = 0; ///< of the output; in trees their nodes
  quint64 bytes = 0;
  bool isLeast = false; ///< it may be more
};

/// The estimate that the hint MemoryEstimate of a filter stands for, by what is known of its input. Executes nothing:
/// none while nothing is known. It is a hint of the filter, as ParaView drops those of a property that overrides one of
/// a base. It says what the output consists of:
///
///     <MemoryEstimate bytes2D="64" bytes3D="97"/>  explicit cells, one for each cell of the input
///     <MemoryEstimate of="image"/>                 all cells of a box, as of Spanwise Intervals To Image
///     <MemoryEstimate of="distances"/>             a number for each, as of Spanwise Signed Distance To Set
///     <MemoryEstimate of="samples"/>               points of a box, as of Spanwise Resample Levels
///     <MemoryEstimate of="trees"/>                 a hyper tree grid of branch factor 2
///     <MemoryEstimate of="blocks"/>                AMR blocks that cover leaves and what lies above them
///
/// With least="1" explicit cells may take more, too. With property="Where" value="2" there is an estimate only where
/// this property has this value.
std::optional<MemoryEstimate> memoryEstimate(vtkSMProxy* filter, vtkSMProperty* input);

} // namespace spanwise

#endif
