"""What the Python wheel says of itself is what CMake says.    python3 WheelMetadata.py SOURCE VERSION DESCRIPTION FOLDER

FOLDER: for what the wheel's builder writes.
"""

import configparser
import email
import os
import pathlib
import re
import shutil
import sys
import tomllib

from scikit_build_core.build import prepare_metadata_for_build_wheel

source, version, description, folder = sys.argv[1:]
os.chdir(source)
shutil.rmtree(folder, ignore_errors=True)  # of an earlier run that was stopped
pathlib.Path(folder).mkdir(parents=True)
written = pathlib.Path(folder) / prepare_metadata_for_build_wheel(folder) / "METADATA"
said = email.message_from_string(written.read_text(encoding="utf-8"))
assert said["Name"] == "spanwise", said["Name"]
assert said["Version"] == version, f"the wheel's version is {said['Version']}, CMake's is {version}"
assert said["Summary"] == description, f"the wheel's summary is {said['Summary']!r}, CMake's is {description!r}"
assert said["License-Expression"] == "BSD-3-Clause", said["License-Expression"]

# One VTK: it is compiled with, asked for, and named where it is missing.
project = tomllib.loads(pathlib.Path("pyproject.toml").read_text(encoding="utf-8"))
needed = project["build-system"]["requires"] + project["project"]["dependencies"]
needed.append(project["tool"]["scikit-build"]["cmake"]["define"]["SPANWISE_VTK_REMEDY"])
versions = {match for line in needed for match in re.findall(r"cvista\S*\s*(~=[0-9.]+)", line)}
assert len(versions) == 1, f"pyproject.toml asks for several versions of VTK: {versions}"

# What only the owner can say: nothing else stands in for it.
owner = dict(re.findall(r'^set\((\w+) "(.*?)"\)', pathlib.Path("CMake/SpanwiseOwner.cmake").read_text(), re.MULTILINE))
homepages = [url.split(", ", 1)[1] for url in said.get_all("Project-URL", [])]
assert homepages == [owner["SPANWISE_HOMEPAGE"]][: bool(owner["SPANWISE_HOMEPAGE"])], homepages
contact = said["Maintainer-Email"] or ""
assert contact == owner["SPANWISE_CONTACT"], f"the wheel's contact is {contact!r}, CMake's {owner['SPANWISE_CONTACT']!r}"

# What PyVista finds is what the installed package offers it.
entries = []
for text in (written.with_name("entry_points.txt"), pathlib.Path("Filters/Python/metadata/entry_points.txt")):
    parser = configparser.ConfigParser(delimiters="=")
    parser.read(text)
    entries.append({name: dict(parser[name]) for name in parser.sections()})
assert entries[0] == entries[1] and len(entries[0]) == 3, entries
