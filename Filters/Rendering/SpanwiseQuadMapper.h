#ifndef SpanwiseQuadMapper_h
#define SpanwiseQuadMapper_h

// Draws quads with a colour each, sooner than VTK's own mapper would. Not wrapped.

#include <vtkCompositePolyDataMapper.h>

/**
 * What a vtkCompositePolyDataMapper is to delegate to, so that quads are cut into triangles and get their cells'
 * colours in parallel. VTK's own delegate does so for polygons of any kind, one by one, which takes half as long as
 * drawing them. Everything but the surface of quads that a cell array colours is left to VTK's own; pictures are the
 * same.
 */
vtkCompositePolyDataMapperDelegator* newQuadDelegator();

/**
 * A vtkCompositePolyDataMapper that delegates so.
 */
class SpanwiseQuadMapper : public vtkCompositePolyDataMapper {
public:
  static SpanwiseQuadMapper* New();
  vtkTypeMacro(SpanwiseQuadMapper, vtkCompositePolyDataMapper);

protected:
  SpanwiseQuadMapper() = default;
  ~SpanwiseQuadMapper() override = default;

  vtkCompositePolyDataMapperDelegator* CreateADelegator() override { return newQuadDelegator(); }

private:
  SpanwiseQuadMapper(const SpanwiseQuadMapper&) = delete;
  void operator=(const SpanwiseQuadMapper&) = delete;
};

#endif
