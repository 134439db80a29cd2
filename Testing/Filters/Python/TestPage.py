"""The code on the pages about Python runs, and finds what it says."""

import contextlib
import importlib.util
import io
import os
import re
import tempfile
import unittest


class Page(unittest.TestCase):
    def test_python(self):
        blocks = self.run_page("Python.md")
        self.assertGreater(len(blocks), 1)
        self.assertLessEqual(len(blocks[0].splitlines()), 15)

    def test_pyvista(self):
        self.assertEqual(len(self.run_page("PyVista.md")), 1)

    def test_device(self):
        self.assertEqual(len(self.run_page("Device.md")), 1)

    def run_page(self, name):
        with open(os.path.join(os.environ["SPANWISE_PAGES"], name), encoding="utf-8") as file:
            text = file.read()
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        self.addCleanup(os.chdir, os.getcwd())
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for code in blocks:
                if not all(importlib.util.find_spec(name) for name in re.findall(r"^import (\w+)", code, re.MULTILINE)):
                    continue  # PyVista and xarray may be missing
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(code, {})  # each block is whole
                said = re.findall(r"print\(.*#\s*(.*)$", code, re.MULTILINE)
                self.assertEqual(printed.getvalue().splitlines(), said)
        return blocks


if __name__ == "__main__":
    unittest.main()
