// States and systems: mass matrix, constraint Jacobian, forces, residuals and tangents, for methods written in Python.
#include "system.hpp"

#include <fmt/format.h>

#include <polhode/integrate/cayley_motion.hpp>
#include <polhode/simulate/loops.hpp>
#include <polhode/system/constrained_mass.hpp>
#include <polhode/system/mass_matrix.hpp>

namespace polhode::python {
namespace {

using Indices = nb::ndarray<nb::numpy, std::int64_t>;

Indices indices(std::vector<std::int64_t> numbers) {
  auto* owned = new std::vector<std::int64_t>(std::move(numbers));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
  return Indices(owned->data(), {owned->size()}, owner);
}

std::span<const double> span_of(const VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
std::span<double> span_of(VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
Array array_of(const VecX& v) { return array({v.data(), v.data() + v.size()}, {static_cast<std::size_t>(v.size())}); }

void expect_shape(const ArrayIn& a, std::vector<std::size_t> shape, const char* name) {
  bool fits = a.ndim() == shape.size();
  for (std::size_t k = 0; fits && k < shape.size(); ++k) fits = a.shape(k) == shape[k];
  std::string text;
  for (const std::size_t n : shape) text += (text.empty() ? "" : ", ") + std::to_string(n);
  if (!fits) throw nb::value_error(fmt::format("{} must have the shape ({})", name, text).c_str());
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!std::isfinite(a.data()[k]))
      throw nb::value_error(fmt::format("{} holds a number that is not finite", name).c_str());
}

VecX vector_in(const ArrayIn& a, std::size_t size, const char* name) {
  expect_shape(a, {size}, name);
  return Eigen::Map<const VecX>(a.data(), static_cast<long>(size));
}

/// A vector of all nodes, as an array (nodes, 3).
template <Vec3 NodeState::*member>
Array get(const State& state) {
  std::vector<double> out;
  for (const NodeState& s : state.nodes) out.insert(out.end(), (s.*member).data(), (s.*member).data() + 3);
  return array(std::move(out), {state.nodes.size(), 3});
}
template <Vec3 NodeState::*member>
void set(State& state, const ArrayIn& a) {
  expect_shape(a, {state.nodes.size(), 3}, "the array");
  for (std::size_t i = 0; i < state.nodes.size(); ++i) state.nodes[i].*member = Vec3(a.data() + 3 * i);
}

Array get_quaternions(const State& state) {
  std::vector<double> out;
  for (const NodeState& s : state.nodes) out.insert(out.end(), {s.q.w(), s.q.x(), s.q.y(), s.q.z()});
  return array(std::move(out), {state.nodes.size(), 4});
}
void set_quaternions(State& state, const ArrayIn& a) {
  expect_shape(a, {state.nodes.size(), 4}, "quaternion");
  for (std::size_t i = 0; i < state.nodes.size(); ++i) {
    const double* q = a.data() + 4 * i;
    const Quaternion value(q[0], q[1], q[2], q[3]);
    if (!(std::abs(value.norm() - 1) < 1e-6))
      throw nb::value_error(fmt::format("quaternion of node {} has the norm {}; expected 1", i, value.norm()).c_str());
    state.nodes[i].q = value.normalized();
  }
}

class OwnSystem {
 public:
  explicit OwnSystem(const ModelHandle& handle)
      : callbacks(handle.callbacks), compiled(compile(handle.model)), start(compiled.start) {
    settled_start(compiled, handle.model.simulation, start);
    n = system().node_count();
    m = system().row_count;
  }
  OwnSystem(const OwnSystem&) = delete;  // a system is not copied
  OwnSystem& operator=(const OwnSystem&) = delete;
  const System& system() const { return compiled.system; }

  void check(const State& state) const {
    if (static_cast<int>(state.nodes.size()) != n || state.angles.size() != compiled.start.angles.size())
      throw nb::value_error("the state is of another model");
  }
  std::vector<Frame> frames(const State& state) const {
    check(state);
    std::vector<Frame> q;
    system().frames(state, q);
    return q;
  }
  VecX gathered(std::span<const Vec6> force) const {
    VecX out(6 * n);
    for (int i = 0; i < n; ++i) out.segment<6>(6 * i) = system().gather(i, force[i]);
    return out;
  }

  /// Forces and residuals with their tangents, of a stage.
  nb::tuple evaluate(const Stage& stage) const {
    AssemblyPlan plan = system().plan(1);
    BlockMatrix K(plan.pattern);
    K.allocate();
    system().find_slots(plan, K);
    std::vector<Vec6> force(n + 1, Vec6::Zero());
    VecX phi = VecX::Zero(m);
    system().evaluate(stage, force, span_of(phi), &plan, &K);
    return nb::make_tuple(array_of(gathered(force)), array_of(phi), coordinates_of(K));
  }

  nb::tuple between(const State& a, const State& b, const ArrayIn& multipliers) const {
    const VecX lambda = vector_in(multipliers, m, "multipliers");
    const std::vector<Frame> q0 = frames(a), q1 = frames(b);
    if (a.t == b.t)
      throw nb::value_error("the two states have the same time; a discrete gradient needs a step between them");
    return evaluate({.start = q0, .end = q1, .t0 = a.t, .t1 = b.t, .lambda = span_of(lambda), .given = &a});
  }

  nb::tuple at(const State& state, const ArrayIn& multipliers) const {
    const VecX lambda = vector_in(multipliers, m, "multipliers");
    const std::vector<Frame> q = frames(state);
    std::vector<Vec6> V;
    spatial_velocities(system(), state, V);
    const std::vector<Mat6> dV(n + 1, Mat6::Zero());
    return evaluate({.start = q,
                     .end = q,
                     .t0 = state.t,
                     .t1 = state.t,
                     .lambda = span_of(lambda),
                     .given = &state,
                     .pointwise = true,
                     .V = V,
                     .dV = dV});
  }

  nb::tuple mass_matrix(const State& state) const {
    const std::vector<Frame> q = frames(state);
    AssemblyPlan plan = system().plan(1);
    BlockMatrix M(plan.pattern);
    M.allocate();
    system().find_slots(plan, M);
    add_mass_matrix(system(), q, 1, plan, M);
    return coordinates_of(M);
  }

  nb::tuple jacobian(const State& state) const {
    ConstraintJacobian B;
    system().jacobian(frames(state), state.angles, B);
    std::vector<double> values;
    std::vector<std::int64_t> rows, columns;
    for (int b = 0; b < static_cast<int>(system().blocks.size()); ++b) {
      const ConstraintBlock& block = system().blocks[b];
      for (std::size_t k = 0; k < block.nodes.size(); ++k) {
        const auto part = system().block(B, b, static_cast<int>(k));
        for (int i = 0; i < block.rows; ++i)
          for (int j = 0; j < 6; ++j) {
            values.push_back(part(i, j));
            rows.push_back(block.first_row + i);
            columns.push_back(6 * block.nodes[k] + j);
          }
      }
    }
    const std::size_t count = values.size();
    return nb::make_tuple(array(std::move(values), {count}), indices(std::move(rows)), indices(std::move(columns)),
                          nb::make_tuple(m, 6 * n));
  }

  Array residual(const State& state) const {
    VecX phi = VecX::Zero(m);
    system().residual(frames(state), state.angles, state.t, span_of(phi));
    return array_of(phi);
  }

  nb::tuple accelerations_at(const State& state) const {
    check(state);
    ConstrainedMass mass(system());
    const Accelerations a = accelerations(system(), state, mass);
    return nb::make_tuple(array_of(a.u_dot), array_of(a.lambda));
  }

  /// Residual and tangent of an energy-momentum step as its Newton iteration sees them.
  nb::tuple step_equations(const State& state, double h, const ArrayIn& dx, const ArrayIn& theta,
                           const ArrayIn& multipliers) const {
    check(state);
    if (!(h != 0 && std::isfinite(h)))
      throw nb::value_error(fmt::format("h is {}; expected a step other than 0", h).c_str());
    expect_shape(dx, {static_cast<std::size_t>(n), 3}, "dx");
    expect_shape(theta, {static_cast<std::size_t>(n), 3}, "theta");
    const double scale = 0.5 * h * h;
    const VecX lambda = scale * vector_in(multipliers, m, "multipliers");
    Workspace w(system(), 1);
    CayleyMotion motion(system());
    for (int i = 0; i < n; ++i) {
      motion.begin(i, state, w);
      motion.dx[i] = Vec3(dx.data() + 3 * i);
      motion.theta[i] = Vec3(theta.data() + 3 * i);
    }
    motion.move(state, w);
    w.lu.matrix().set_zero();
    motion.set_inertia_and_tangent(state, h, w);
    w.evaluate({.start = w.start,
                .end = w.end,
                .t0 = state.t,
                .t1 = state.t + h,
                .scale = scale,
                .lambda = span_of(lambda),
                .given = &state});
    VecX r(6 * n + m);
    r << gathered(w.force), w.phi;
    return nb::make_tuple(array_of(r), coordinates_of(w.lu.matrix()));
  }

  State counted(State state) const {
    system().update_angles(frames(state), state.angles);
    return state;
  }

  Callbacks callbacks;
  CompiledModel compiled;
  State start;
  int n = 0, m = 0;
};

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  for (const auto& callback : nb::inst_ptr<OwnSystem>(self)->callbacks) Py_VISIT(callback->function.ptr());
  return 0;
}
int clear(PyObject* self) {
  for (const auto& callback : nb::inst_ptr<OwnSystem>(self)->callbacks) callback->function = nb::none();
  return 0;
}
PyType_Slot slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

}  // namespace

nb::tuple coordinates_of(const BlockMatrix& A) {
  std::vector<double> values;
  std::vector<std::int64_t> rows, columns;
  A.for_each_block([&](int i, int j, Slot slot) {
    for (int c = 0; c < A.size(j); ++c)
      for (int r = 0; r < A.size(i); ++r) {
        const double value = A.values()[static_cast<std::size_t>(slot + r + c * A.size(i))];
        if (value == 0) continue;
        values.push_back(value);
        rows.push_back(A.offset(i) + r);
        columns.push_back(A.offset(j) + c);
      }
  });
  const std::size_t count = values.size();
  return nb::make_tuple(array(std::move(values), {count}), indices(std::move(rows)), indices(std::move(columns)),
                        nb::make_tuple(A.rows(), A.rows()));
}

void bind_system(nb::module_& m) {
  constexpr auto copied = nb::rv_policy::move;  // arrays of their own
  nb::class_<State>(
      m, "State",
      "Motion of the nodes of a system: a node is a body's centre of mass, or its fixed point. Arrays are copies.")
      .def_prop_rw(
          "time", [](const State& s) { return s.t; }, [](State& s, double t) { s.t = t; }, "[s]")
      .def_prop_rw("position", &get<&NodeState::x>, &set<&NodeState::x>, copied,
                   "of the nodes, in space [m]; (nodes, 3)")
      .def_prop_rw("quaternion", &get_quaternions, &set_quaternions, copied,
                   "w, x, y, z; takes body to space components; (nodes, 4)")
      .def_prop_rw("velocity", &get<&NodeState::v>, &set<&NodeState::v>, copied,
                   "of the nodes, in space [m/s]; (nodes, 3)")
      .def_prop_rw("angular_velocity", &get<&NodeState::Omega>, &set<&NodeState::Omega>, copied,
                   "in the body [rad/s]; (nodes, 3)")
      .def_prop_rw(
          "multipliers", [](const State& s) { return array_of(s.lambda); },
          [](State& s, const ArrayIn& a) {
            s.lambda = vector_in(a, static_cast<std::size_t>(s.lambda.size()), "multipliers");
          },
          copied, "of the last step [N or N m]")
      .def_prop_ro(
          "angles", [](const State& s) { return array(s.angles, {s.angles.size()}); }, copied,
          "of joints, counted over many turns [rad]")
      .def("copy", [](const State& s) { return s; });

  nb::class_<OwnSystem>(m, "System", nb::type_slots(slots),
                        "A compiled model: its equations, for methods written in Python.")
      .def(nb::init<const ModelHandle&>(), "model"_a)
      .def_prop_ro(
          "start", [](const OwnSystem& s) { return s.start; }, "the start, consistent with the joints")
      .def_ro("node_count", &OwnSystem::n)
      .def_ro("row_count", &OwnSystem::m)
      .def_prop_ro("row_labels", [](const OwnSystem& s) { return s.compiled.row_labels; })
      .def_prop_ro(
          "mass",
          [](const OwnSystem& s) {
            std::vector<double> out;
            for (const BodyInertia& body : s.system().inertia.bodies) out.push_back(body.mass);
            return array(std::move(out), {static_cast<std::size_t>(s.n)});
          },
          copied)
      .def_prop_ro(
          "inertia",
          [](const OwnSystem& s) {
            std::vector<double> out;
            for (const BodyInertia& body : s.system().inertia.bodies)
              out.insert(out.end(), body.J.data(), body.J.data() + 9);  // symmetric
            return array(std::move(out), {static_cast<std::size_t>(s.n), 3, 3});
          },
          copied)
      .def_prop_ro("length", [](const OwnSystem& s) { return s.system().length; })
      .def("mass_matrix", &OwnSystem::mass_matrix, "state"_a,
           nb::sig("def mass_matrix(self, state: State) -> tuple[typing.Any, ...]"))
      .def("jacobian", &OwnSystem::jacobian, "state"_a,
           nb::sig("def jacobian(self, state: State) -> tuple[typing.Any, ...]"))
      .def("residual", &OwnSystem::residual, "state"_a)
      .def("evaluate_between", &OwnSystem::between, "start"_a, "end"_a, "multipliers"_a,
           nb::sig("def evaluate_between(self, start: State, end: State, multipliers: typing.Any) -> tuple[typing.Any, "
                   "typing.Any, typing.Any]"))
      .def("evaluate_at", &OwnSystem::at, "state"_a, "multipliers"_a,
           nb::sig("def evaluate_at(self, state: State, multipliers: typing.Any) -> tuple[typing.Any, typing.Any, "
                   "typing.Any]"))
      .def("accelerations", &OwnSystem::accelerations_at, "state"_a,
           nb::sig("def accelerations(self, state: State) -> tuple[typing.Any, typing.Any]"))
      .def("step_equations", &OwnSystem::step_equations, "state"_a, "h"_a, "dx"_a, "theta"_a, "multipliers"_a,
           nb::sig("def step_equations(self, state: State, h: float, dx: typing.Any, theta: typing.Any, multipliers: "
                   "typing.Any) -> tuple[typing.Any, typing.Any]"))
      .def("counted", &OwnSystem::counted, "state"_a);
}

}  // namespace polhode::python
