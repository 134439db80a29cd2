"""Runs a filter once, and turns its error into an exception."""

from __future__ import annotations

import re

from vtkmodules.util.misc import calldata_type
from vtkmodules.vtkCommonCore import VTK_STRING
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkCommonExecutionModel import vtkAlgorithm


def run(algorithm: vtkAlgorithm, *inputs: vtkDataObject, second: vtkDataObject | None = None) -> vtkDataObject:
    """The output of a filter for these inputs on port 0, and one on port 1.

    Raises ValueError with the filter's message.
    """
    for data in inputs:
        algorithm.AddInputDataObject(0, data)
    if second is not None:
        algorithm.SetInputDataObject(1, second)
    errors = collect_errors(algorithm)
    algorithm.Update()
    if errors:
        raise ValueError(errors[0])
    return algorithm.GetOutputDataObject(0)


def collect_errors(algorithm: vtkAlgorithm) -> list[str]:
    """A list that gets the messages of the filter's errors, which are no longer printed."""
    errors: list[str] = []

    @calldata_type(VTK_STRING)
    def note(_caller, _event, text):
        errors.append(_sentence(text))

    algorithm.AddObserver("ErrorEvent", note)
    algorithm.GetExecutive().AddObserver("ErrorEvent", note)
    return errors


def _sentence(text: str) -> str:
    """What is said by 'ERROR: In file, line 1\\nvtkClass (0x1234): what is said'."""
    return re.sub(r"^ERROR: In .*\n\w+ \(0x[0-9a-f]+\): ", "", text).strip()
