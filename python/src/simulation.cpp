// Simulations: run to the end, or step by step. The interpreter's lock is released while C++ computes.
#include "recording.hpp"

#include <atomic>
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/io/model_writer.hpp>
#include <polhode/io/result_file.hpp>
#include <polhode/model/names.hpp>
#include <polhode/io/run_options.hpp>
#include <polhode/simulate/simulation.hpp>
#include <polhode/version.hpp>

#include "system.hpp"

namespace polhode::python {
namespace {

/// A simulation with the Python functions that it calls. One thread at a time may work on it.
class Run {
 public:
  explicit Run(const ModelHandle& handle) : callbacks(handle.callbacks) {
    const nb::gil_scoped_release unlocked;
    simulation = std::make_unique<Simulation>(handle.model);
    for (const BodyPlace& body : simulation->compiled().bodies) bodies.push_back(body.name);
    writable = handle.callbacks.empty();
    model_json = writable ? write_model(handle.model) : "{}";
    options = options_json(handle.model.simulation);
  }

  std::size_t body(const std::string& name) const {
    const auto found = std::find(bodies.begin(), bodies.end(), name);
    if (found == bodies.end()) throw nb::key_error(fmt::format("there is no body \"{}\"{}", name, did_you_mean(name, bodies)).c_str());
    return static_cast<std::size_t>(found - bodies.begin());
  }

  std::unique_ptr<Simulation> simulation;
  Callbacks callbacks;
  std::vector<std::string> bodies;
  std::string model_json, options;
  bool writable = true;
  std::shared_ptr<Recording> recording;
  std::optional<ResultFile> file;
  std::atomic<bool> busy = false;
  bool broken = false;  ///< a Python function threw in the middle of a step
};

/// Holds a simulation for one thread; RuntimeError if it is held already, by another one or by a load that is being asked.
class Hold {
 public:
  explicit Hold(Run& run) : run_(run) {
    if (run.busy.exchange(true))
      throw std::runtime_error("this simulation is at work already: in another thread, or asking a load or an energy; make one for each thread");
  }
  ~Hold() { run_.busy = false; }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Run& run_;
};

/// A step that a Python function broke off cannot be taken up again: the method may have been half through.
void refuse_broken(const Run& run) {
  if (run.broken)
    throw std::runtime_error(fmt::format("a load or an energy raised an exception in the step after t = {:g} s; restore a checkpoint, or begin anew",
                                         run.simulation->time()));
}

/// Takes `count` steps; false if one failed.
bool step(Run& run, long count) {
  if (count < 0) throw nb::value_error(fmt::format("count is {}; expected 0 or more", count).c_str());
  const Hold hold(run);
  refuse_broken(run);
  const nb::gil_scoped_release unlocked;
  for (long k = 0; k < count; ++k) {
    try {
      if (!run.simulation->step()) return false;
    } catch (...) {
      run.broken = true;
      throw;
    }
    if (k % 64 == 63) {
      const nb::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
  }
  return true;
}

/// Looks after signals and the progress bar about ten times a second. Ctrl-C ends the run; what else is raised comes through.
class Watch {
 public:
  explicit Watch(nb::object progress) : progress_(std::move(progress)) {}

  bool operator()(const Simulation& simulation) {
    if ((++calls_ & 7) != 0) return true;
    const auto now = Clock::now();
    if (now < next_) return true;
    next_ = now + std::chrono::milliseconds(100);
    const nb::gil_scoped_acquire lock;
    between_steps = true;
    try {
      if (!progress_.is_none())
        progress_(static_cast<double>(simulation.steps_done()) / static_cast<double>(std::max(1L, simulation.steps())), simulation.time());
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      interrupted = true;
    }
    between_steps = false;
    return !interrupted;
  }
  bool interrupted = false, between_steps = false;

 private:
  using Clock = std::chrono::steady_clock;
  nb::object progress_;
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(100);
  unsigned calls_ = 0;
};

/// Runs to the end and records, in memory and, if a path is given, in a file as the command writes it. Returns whether Ctrl-C ended it.
bool run_to_end(Run& run, nb::object progress, std::optional<std::string> path) {
  const Hold hold(run);
  refuse_broken(run);
  Watch watch(progress);
  Simulation& simulation = *run.simulation;
  ResultLayout layout = simulation.layout(std::string(version));
  layout.model_json = run.model_json;
  layout.options_json = run.options;
  if (!run.recording) run.recording = std::make_shared<Recording>(layout);
  Recording& recording = *run.recording;
  const auto finish = [&](const std::string& status) {
    Certificate certificate = simulation.certificate();
    recording.status = status.empty() ? certificate.status : status;
    recording.complete = recording.status == "complete";
    certificate.status = recording.status;
    recording.certificate_json = to_json(certificate);
    recording.certificate_text = to_text(certificate);
    if (run.file && (recording.complete || !simulation.failure().empty() || !status.empty())) {
      const std::lock_guard lock(hdf5_mutex());
      run.file->finish(recording.complete, recording.status, recording.certificate_json);
      run.file.reset();
    }
  };
  {
    const nb::gil_scoped_release unlocked;
    if (path) {
      const std::lock_guard lock(hdf5_mutex());
      run.file = ResultFile::create(*path, layout);
    }
    try {
      simulation.run(
          [&](const Sample& sample) {
            recording.append(sample);
            if (run.file) run.file->append(sample);
          },
          [&] { return watch(simulation); });
      finish(watch.interrupted ? fmt::format("interrupted at t = {:g} s", simulation.time()) : "");
    } catch (const nb::python_error& error) {
      const nb::gil_scoped_acquire lock;
      run.broken = !watch.between_steps;
      watch.interrupted = error.matches(PyExc_KeyboardInterrupt);  // it came while a load or an energy was asked
      finish(fmt::format("{} at t = {:g} s", watch.interrupted ? "interrupted" : "stopped by an exception", simulation.time()));
      if (!watch.interrupted) throw;
    } catch (const std::exception&) {
      run.broken = true;
      finish(fmt::format("stopped by an exception at t = {:g} s", simulation.time()));
      throw;
    }
  }
  return watch.interrupted;
}

nb::dict sample(Run& run) {
  const Hold hold(run);
  const Sample& s = run.simulation->sample();
  const std::size_t n = run.bodies.size();
  const auto rows = [](std::span<const double> numbers, std::size_t count, std::size_t width) {
    return array({numbers.begin(), numbers.end()}, {count, width});
  };
  nb::dict out;
  out["time"] = s.time;
  out["position"] = rows(s.positions, n, 3);
  out["quaternion"] = rows(s.quaternions, n, 4);
  out["velocity"] = rows(s.velocities, n, 3);
  out["angular_velocity"] = rows(s.angular_velocities, n, 3);
  out["reaction"] = rows(s.reactions, s.reactions.size() / 6, 6);
  out["multipliers"] = array({s.multipliers.begin(), s.multipliers.end()}, {s.multipliers.size()});
  out["energy"] = nb::make_tuple(s.energy.kinetic, s.energy.gravitational, s.energy.strain, s.energy.work, s.energy.dissipated, s.energy.algorithmic);
  out["linear_momentum"] = array({s.linear_momentum.data(), s.linear_momentum.data() + 3}, {3});
  out["angular_momentum"] = array({s.angular_momentum.data(), s.angular_momentum.data() + 3}, {3});
  return out;
}

using Triple = std::optional<std::array<double, 3>>;

void apply(Run& run, const std::string& body, const Triple& force, const Triple& torque, const Triple& at) {
  const Hold hold(run);
  const auto value = [](const Triple& v, const char* name) { return v ? vector_of(*v, name) : Vec3(Vec3::Zero()); };
  run.simulation->apply(run.body(body), value(force, "force"), value(torque, "torque"), value(at, "at"));
}

void set_velocity(Run& run, const std::string& body, const Triple& velocity, const Triple& angular_velocity) {
  const Hold hold(run);
  Simulation::Velocity v{run.body(body), {}, {}};
  if (velocity) v.velocity = vector_of(*velocity, "velocity");
  if (angular_velocity) v.angular_velocity = vector_of(*angular_velocity, "angular_velocity");
  run.simulation->set_velocities({v});
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  for (const auto& callback : nb::inst_ptr<Run>(self)->callbacks) Py_VISIT(callback->function.ptr());
  return 0;
}
int clear(PyObject* self) {
  for (const auto& callback : nb::inst_ptr<Run>(self)->callbacks) callback->function = nb::none();
  return 0;
}
PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

}  // namespace

void bind_simulation(nb::module_& m) {
  nb::class_<Simulation::Checkpoint>(m, "Checkpoint", "All that a motion depends on, to be put back later.");
  nb::class_<Run>(m, "Run", nb::type_slots(slots), "A simulation of a model.")
      .def(nb::init<const ModelHandle&>(), "model"_a)
      .def("step", &step, "count"_a = 1)
      .def("run", &run_to_end, "progress"_a.none(), "path"_a.none())
      .def("sample", &sample, nb::sig("def sample(self) -> dict[str, typing.Any]"))
      .def("apply", &apply, "body"_a, "force"_a.none(), "torque"_a.none(), "at"_a.none())
      .def("set_velocity", &set_velocity, "body"_a, "velocity"_a.none(), "angular_velocity"_a.none())
      .def("save", [](Run& r) { const Hold hold(r); return r.simulation->checkpoint(); })
      .def("restore", [](Run& r, const Simulation::Checkpoint& c) {
        const Hold hold(r);
        if (c.state.nodes.size() != r.simulation->state().nodes.size() || c.state.work.forces.size() != r.simulation->state().work.forces.size() ||
            c.state.memory.size() != r.simulation->state().memory.size())
          throw nb::value_error("the checkpoint is of another model or integrator");
        r.simulation->restore(c);
        r.broken = false;
      }, "checkpoint"_a)
      .def("certificate", [](Run& r) { const Hold hold(r); const Certificate c = r.simulation->certificate(); return std::pair(to_json(c), to_text(c)); })
      .def("state", [](Run& r) { const Hold hold(r); return r.simulation->state(); })
      .def_prop_ro("recording", [](const Run& r) { return r.recording; })
      .def_prop_ro("time", [](const Run& r) { return r.simulation->time(); })
      .def_prop_ro("steps", [](const Run& r) { return r.simulation->steps(); })
      .def_prop_ro("steps_done", [](const Run& r) { return r.simulation->steps_done(); })
      .def_prop_ro("done", [](const Run& r) { return r.simulation->done(); })
      .def_prop_ro("failure", [](const Run& r) { return r.simulation->failure(); })
      .def_prop_ro("freedoms", [](const Run& r) { return r.simulation->start_report().freedoms; })
      .def_prop_ro("bodies", [](const Run& r) { return r.bodies; })
      .def_prop_ro("joints", [](const Run& r) { return r.simulation->layout("").joints; })
      .def_prop_ro("rows", [](const Run& r) { return r.simulation->compiled().row_labels; });
}

}  // namespace polhode::python
