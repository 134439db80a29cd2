#ifndef SpanwiseQuadMapper_h
#define SpanwiseQuadMapper_h

// Draws quads with a colour each, sooner than VTK's own mapper would. Not wrapped.

#include <vtkCompositePolyDataMapper.h>

/**
 * A vtkCompositePolyDataMapper that cuts quads into triangles and hands out their cells' colours itself, in parallel.
 * The superclass does so for polygons of any kind, one by one, which takes as long as drawing them. Everything but the
 * surface of quads that a cell array colours is left to the superclass; pictures are the same.
 */
class SpanwiseQuadMapper : public vtkCompositePolyDataMapper {
public:
  static SpanwiseQuadMapper* New();
  vtkTypeMacro(SpanwiseQuadMapper, vtkCompositePolyDataMapper);

protected:
  SpanwiseQuadMapper() = default;
  ~SpanwiseQuadMapper() override = default;

  vtkCompositePolyDataMapperDelegator* CreateADelegator() override;

private:
  SpanwiseQuadMapper(const SpanwiseQuadMapper&) = delete;
  void operator=(const SpanwiseQuadMapper&) = delete;
};

#endif
