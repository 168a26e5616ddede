// Energies and loads that are Python functions. C++ runs without the interpreter's lock and takes it for each call.
#include "binding.hpp"

#include <cmath>

#include <fmt/format.h>

#include <polhode/elements/forces.hpp>

namespace polhode::python {
namespace {

using Shared = std::shared_ptr<Callback>;

std::string type_of(nb::handle value) { return nb::cast<std::string>(value.type().attr("__name__")); }

/// A number that a function returned; TypeError or ValueError if it is none.
double number(nb::handle value, const Callback& f, const char* what) {
  const double x = PyFloat_AsDouble(value.ptr());
  if (x == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    throw nb::type_error(
        fmt::format("force \"{}\": {} returned {}; expected a number", f.name, what, type_of(value)).c_str());
  }
  if (!std::isfinite(x)) throw nb::value_error(fmt::format("force \"{}\": {} returned {}", f.name, what, x).c_str());
  return x;
}

/// An array of NumPy with doubles: the only one that is looked into as it is. What other objects lay open as their
/// buffers (arrays of ctypes, dates) is left to NumPy.
bool is_array_of_doubles(nb::handle value) {
  static const nb::object& array_type = *new nb::object(nb::module_::import_("numpy").attr("ndarray"));
  return nb::isinstance(value, array_type) && nb::cast<std::string>(value.attr("dtype").attr("char")) == "d";
}

/// The same numbers as an array of doubles. Throws for what are no real numbers.
nb::object as_doubles(nb::handle value) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const std::string kind = nb::cast<std::string>(numpy.attr("asarray")(value).attr("dtype").attr("kind"));
  if (value.is_none() || std::string_view("fiubO").find(kind) == std::string_view::npos) throw nb::type_error("");
  return numpy.attr("ascontiguousarray")(value, numpy.attr("float64"));
}

/// Fills `out` with the numbers that a function returned: an array or sequence of that many, in C order.
void numbers(nb::handle value, std::span<double> out, const Callback& f, const char* what) {
  if (out.size() == 1 && !nb::isinstance<nb::sequence>(value)) {
    out[0] = number(value, f, what);
    return;
  }
  ArrayIn array;
  if (!is_array_of_doubles(value) || !nb::try_cast(value, array)) {  // a list, a tuple, an array of whole numbers
    try {
      array = nb::cast<ArrayIn>(as_doubles(value));
    } catch (const std::exception&) {
      throw nb::type_error(
          fmt::format("force \"{}\": {} returned {}; expected {} numbers", f.name, what, type_of(value), out.size())
              .c_str());
    }
  }
  if (array.size() != out.size())
    throw nb::value_error(
        fmt::format("force \"{}\": {} returned {} numbers; expected {}", f.name, what, array.size(), out.size())
            .c_str());
  std::copy_n(array.data(), out.size(), out.begin());
  for (const double x : out)
    if (!std::isfinite(x)) throw nb::value_error(fmt::format("force \"{}\": {} returned {}", f.name, what, x).c_str());
}

/// One number as a float, several as an array.
nb::object argument(ComputedPotential::Numbers y) {
  if (y.size() == 1) return nb::float_(y[0]);
  return nb::cast(array({y.begin(), y.end()}, {y.size()}));
}
nb::object argument(const Vec3& v) { return nb::cast(array({v.data(), v.data() + 3}, {3})); }

Shared keep(ModelHandle& handle, nb::object function, const std::string& name) {
  auto shared = std::make_shared<Callback>(Callback{std::move(function), name});
  handle.callbacks.push_back(shared);
  return shared;
}

/// Bodies, joint and anchors of a force that carries them: a spring between two points, or a force on a joint.
template <class F>
F at_places_of(const Force& carrier) {
  F out{.name = carrier.name()};
  if (const auto* of_joint = carrier.get<JointForce>()) {
    out.joint = of_joint->joint;
    out.coordinate = of_joint->coordinate;
    return out;
  }
  const Anchors held = carrier.anchors();
  out.between = held.between, out.at = held.at, out.at_a = held.at_a, out.at_b = held.at_b;
  return out;
}

/// Turns force number `index`, which holds the places, into an energy of those places.
void compute_potential(ModelHandle& handle, std::size_t index, const std::string& of,
                       const std::array<double, 4>& frame, nb::object energy, nb::object gradient, nb::object hessian) {
  auto force = at_places_of<Potential>(handle.model.forces.at(index));
  auto law = std::make_shared<ComputedPotential>();
  law->of = of == "point"  ? ComputedPotential::Of::point
            : of == "pose" ? ComputedPotential::Of::pose
                           : ComputedPotential::Of::coordinate;
  law->energy = [f = keep(handle, energy, force.name)](ComputedPotential::Numbers y) {
    const nb::gil_scoped_acquire lock;
    return number(f->function(argument(y)), *f, "energy");
  };
  law->gradient = [f = keep(handle, gradient, force.name)](ComputedPotential::Numbers y, std::span<double> g) {
    const nb::gil_scoped_acquire lock;
    numbers(f->function(argument(y)), g, *f, "gradient");
  };
  if (!hessian.is_none())
    law->hessian = [f = keep(handle, hessian, force.name)](ComputedPotential::Numbers y, std::span<double> H) {
      const nb::gil_scoped_acquire lock;
      numbers(f->function(argument(y)), H, *f, "hessian");
    };
  force.frame = Quaternion(frame[0], frame[1], frame[2], frame[3]);
  force.potential = law;
  handle.model.forces[index] = force;
}

/// Turns force number `index` into a load that is computed: a wrench on its body, or a force on its coordinate.
void compute_load(ModelHandle& handle, std::size_t index, nb::object function) {
  const Force& carrier = handle.model.forces.at(index);
  auto force = at_places_of<ProgrammedLoad>(carrier);
  const Shared f = keep(handle, function, force.name);
  auto load = std::make_shared<ComputedLoad>();
  if (const auto* on_body = carrier.get<PointForce>()) {
    force.body = on_body->body;
    force.at = on_body->at;
    load->wrench = [f](const ComputedLoad::Motion& m) {
      const nb::gil_scoped_acquire lock;
      const Quaternion& q = m.orientation;
      const nb::object result =
          f->function(m.t, argument(m.position), nb::cast(array({q.w(), q.x(), q.y(), q.z()}, {4})),
                      argument(m.velocity), argument(m.angular_velocity));
      Vec6 wrench = Vec6::Zero();
      if (nb::isinstance<nb::tuple>(result) && nb::len(result) == 2) {  // force and torque
        numbers(result[0], {wrench.data(), 3}, *f, "function (its force)");
        numbers(result[1], {wrench.data() + 3, 3}, *f, "function (its torque)");
      } else {
        numbers(result, {wrench.data(), 3}, *f, "function");
      }
      return wrench;
    };
  } else {
    load->on_coordinate = [f](double t, double y, double rate) {
      const nb::gil_scoped_acquire lock;
      return number(f->function(t, y, rate), *f, "function");
    };
  }
  force.load = load;
  handle.model.forces[index] = force;
}

}  // namespace

void bind_computed(nb::module_& m) {
  m.def("compute_potential", &compute_potential, "model"_a, "index"_a, "of"_a, "frame"_a, "energy"_a, "gradient"_a,
        "hessian"_a.none());
  m.def("compute_load", &compute_load, "model"_a, "index"_a, "function"_a);
}

}  // namespace polhode::python
