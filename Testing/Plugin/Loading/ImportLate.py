"""A package that is imported after Python has seen an object of its classes says what to do."""

from paraview import simple

made = simple.SpanwiseIntervalShape().GetClientSideObject()
try:
    import spanwise  # noqa: F401
except ImportError as error:
    message = str(error)
    assert "vtkSpanwiseIntervalShape" in message and made.__class__.__name__ in message, message
    assert message.endswith("start again and import spanwise first"), message
else:
    assert made.__class__.__name__ == "vtkSpanwiseIntervalShape", "a class without its methods, and no word of it"
