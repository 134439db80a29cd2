// A cube of n^3 cells whose inner vertices are where those of a grid are, all but exactly: of four vertices around a
// cell's face Delaunay's rule makes tetrahedra without height, and nothing removes them. gmsh moves few vertices more.
DefineConstant[ n = 8, jitter = 1e-3 ];
Point(1) = {0, 0, 0};
Extrude {1, 0, 0} { Point{1}; }
Extrude {0, 1, 0} { Curve{1}; }
Extrude {0, 0, 1} { Surface{5}; }
For i In {1 : n - 1}
  For j In {1 : n - 1}
    For k In {1 : n - 1}
      p = newp;
      Point(p) = {(i + Rand(jitter)) / n, (j + Rand(jitter)) / n, (k + Rand(jitter)) / n};
      Point{p} In Volume{1};
    EndFor
  EndFor
EndFor
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeMin = 1 / n;
Mesh.MeshSizeMax = 1 / n;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 0;
Physical Volume(1) = {1};
