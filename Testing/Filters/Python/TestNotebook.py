"""A notebook of Examples/Notebooks runs from top to bottom, draws what it says it draws, and is kept without outputs.

usage: python3 TestNotebook.py notebook.ipynb number-of-pictures
"""

import os
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

path, pictures = sys.argv[1], int(sys.argv[2])
notebook = nbformat.read(path, as_version=4)
nbformat.validate(notebook)
code = [cell for cell in notebook.cells if cell.cell_type == "code"]
for cell in code:
    assert not cell.outputs and cell.execution_count is None, f"{path} is kept with outputs"
    assert "paraview" not in cell.source, "notebooks work without ParaView"
assert any("assert " in cell.source for cell in code)

with tempfile.TemporaryDirectory() as folder:
    for variable in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
        os.environ[variable] = os.path.join(folder, variable)
    work = os.path.join(folder, "work")
    os.mkdir(work)
    client = NotebookClient(notebook, timeout=250, kernel_name="python3", resources={"metadata": {"path": work}})
    client.execute()  # raises where a cell does

outputs = [output for cell in code for output in cell.outputs]
print("".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout"))
drawn = sum("image/png" in output.get("data", {}) for output in outputs)
assert drawn == pictures, f"{drawn} pictures"
