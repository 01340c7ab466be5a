#include "serial/grid.cpp"
