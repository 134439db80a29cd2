#ifndef SpanwiseReaderOutput_h
#define SpanwiseReaderOutput_h

// Not wrapped and not installed.

class vtkInformationVector;

namespace spanwise {

/// Makes the output of a reader a collection of grids, or a grid, if it is not yet.
void setOutputType(vtkInformationVector* outputs, bool isCollection);

} // namespace spanwise

#endif
