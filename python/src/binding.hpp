// What the files of the module share: nanobind's types, arrays that NumPy reads in place, and the parts of the module.
#pragma once

#include <memory>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <polhode/model/model.hpp>

namespace polhode::python {

namespace nb = nanobind;
using namespace nb::literals;

using Array = nb::ndarray<nb::numpy, double>;
using ArrayIn = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// A new array with the numbers of a vector.
Array array(std::vector<double> numbers, std::vector<std::size_t> shape);

/// Three finite numbers, or ValueError with the name of the argument.
Vec3 vector_of(const std::array<double, 3>& numbers, const char* name);

/// A Python function that C++ calls. `clear` breaks cycles for the garbage collector.
struct Callback {
  nb::object function;
  std::string name;  ///< of the force, for messages
};
using Callbacks = std::vector<std::shared_ptr<Callback>>;

/// A model with its Python functions, on its way from the description to a simulation.
struct ModelHandle {
  Model model;
  Callbacks callbacks;
  std::vector<std::string> warnings;
};

void bind_model(nb::module_& m);
void bind_computed(nb::module_& m);
void bind_result(nb::module_& m);
void bind_simulation(nb::module_& m);
void bind_system(nb::module_& m);
void bind_study(nb::module_& m);

}  // namespace polhode::python
