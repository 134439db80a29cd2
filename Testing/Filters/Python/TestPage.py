"""The code on the page about Python runs, and finds what it says."""

import contextlib
import importlib.util
import io
import os
import re
import tempfile
import unittest


class Page(unittest.TestCase):
    def test_the_code_runs(self):
        with open(os.environ["SPANWISE_PYTHON_PAGE"], encoding="utf-8") as file:
            text = file.read()
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 1)
        self.assertLessEqual(len(blocks[0].splitlines()), 15)
        self.addCleanup(os.chdir, os.getcwd())
        names: dict = {}
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for code in blocks:
                if not all(importlib.util.find_spec(name) for name in re.findall(r"^import (\w+)", code, re.MULTILINE)):
                    continue  # PyVista and xarray may be missing
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(code, names)  # the blocks follow each other, as they are read
                said = re.findall(r"print\(.*#\s*(.*)$", code, re.MULTILINE)
                self.assertEqual(printed.getvalue().splitlines(), said)


if __name__ == "__main__":
    unittest.main()
