// The files beside were written by Gmsh 4.8, as in: gmsh plate.geo -2 -format msh41 -bin -parametric -o 41-parametric-binary.msh
// A curve without a name, one that is in no group, a surface in two groups, squares beside triangles.
lc = 0.5;
Point(1) = {0, 0, 0, lc}; Point(2) = {1, 0, 0, lc}; Point(3) = {2, 0, 0, lc};
Point(4) = {2, 1, 0, lc}; Point(5) = {1, 1, 0, lc}; Point(6) = {0, 1, 0, lc};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 6}; Line(6) = {6, 1};
Line(7) = {2, 5};
Curve Loop(1) = {1, 7, 5, 6}; Plane Surface(1) = {1};
Curve Loop(2) = {2, 3, 4, -7}; Plane Surface(2) = {2};
Transfinite Surface {1}; Recombine Surface {1};
Physical Curve("bottom") = {1, 2};
Physical Curve("top") = {-4, -5};
Physical Curve("left side", 17) = {6};
Physical Curve(23) = {3};
Physical Surface("plate") = {1, 2};
Physical Surface("right half") = {2};
Physical Point("corner") = {1};
