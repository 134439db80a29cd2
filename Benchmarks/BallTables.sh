#!/usr/bin/env bash
# BallTables.sh PROGRAM: the table of vertex balls in Documentation/Performance/Mesh.md. PROGRAM is SpanwiseBallTables;
# gmsh makes the meshes.
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mesh() { # NAME DIMENSION GEOMETRY
  printf 'SetFactory("OpenCASCADE");\n%s\n' "$3" > "$folder/$1.geo"
  gmsh "-$2" -v 1 -format msh22 -o "$folder/$1.msh" "$folder/$1.geo"
}
mesh sphere 2 'Sphere(1) = {0, 0, 0, 1}; Mesh.MeshSizeMax = 0.02;'
mesh quads 2 'Rectangle(1) = {0, 0, 0, 1, 1}; Mesh.MeshSizeMax = 0.01; Mesh.RecombineAll = 1; Mesh.Algorithm = 8;'
mesh ball 3 'Sphere(1) = {0, 0, 0, 1}; Mesh.MeshSizeMax = 0.06;'
mesh cube 3 'Box(1) = {0, 0, 0, 1, 1, 1}; Mesh.MeshSizeMax = 0.03;'
mesh prisms 3 'Disk(1) = {0, 0, 0, 1}; Mesh.MeshSizeMax = 0.05; Extrude {0, 0, 1} { Surface{1}; Layers{20}; Recombine; }'
mesh hexes 3 'Box(1) = {0, 0, 0, 1, 1, 1}; Mesh.MeshSizeMax = 0.1; Mesh.SubdivisionAlgorithm = 2;'
"$program" "sphere=$folder/sphere.msh" "square=$folder/quads.msh" "ball=$folder/ball.msh" "cube=$folder/cube.msh" \
  "cylinder=$folder/prisms.msh" "cube=$folder/hexes.msh"
