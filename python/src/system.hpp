// A compiled model for people who write methods of their own.
#pragma once

#include "binding.hpp"

#include <polhode/simulate/start.hpp>

namespace polhode::python {

/// A sparse matrix as (values, rows, columns, shape): what scipy.sparse.coo_array takes.
nb::tuple coordinates_of(const BlockMatrix& matrix);

}  // namespace polhode::python
