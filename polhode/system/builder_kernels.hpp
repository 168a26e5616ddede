// For sources that list kinds, or add one of their own: compiles the arrays of the rows and laws that they use.
#pragma once

#include <polhode/system/builder_arrays.hpp>
#include <polhode/system/kernels.hpp>
