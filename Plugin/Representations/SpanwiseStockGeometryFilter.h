#ifndef SpanwiseStockGeometryFilter_h
#define SpanwiseStockGeometryFilter_h

// What ParaView's representations make their geometry with, and set their properties on: since ParaView 6.2 a class of
// VTK's, which took over the members of the one before it.
#if __has_include(<vtkGeometryFilterDispatcher.h>)
#include <vtkGeometryFilterDispatcher.h>
using SpanwiseStockGeometryFilter = vtkGeometryFilterDispatcher;
#else
#include <vtkPVGeometryFilter.h>
using SpanwiseStockGeometryFilter = vtkPVGeometryFilter;
#endif

#endif
