// Simulations: run to the end, or step by step. The interpreter's lock is released while C++ computes.
#include "recording.hpp"

#include <atomic>
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/describe/words.hpp>
#include <polhode/io/file_recorder.hpp>
#include <polhode/study/error_estimate.hpp>

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
  }

  std::size_t body(const std::string& name) const {
    const auto found = std::find(bodies.begin(), bodies.end(), name);
    if (found == bodies.end())
      throw nb::key_error(fmt::format("there is no body \"{}\"{}", name, did_you_mean(name, bodies)).c_str());
    return static_cast<std::size_t>(found - bodies.begin());
  }

  std::unique_ptr<Simulation> simulation;
  Callbacks callbacks;
  std::vector<std::string> bodies;
  std::shared_ptr<Recording> recording;
  std::unique_ptr<FileRecorder> file;
  std::atomic<bool> busy = false;
  bool broken = false;  ///< a Python function threw in the middle of a step
};

/// Holds a simulation for one thread; RuntimeError if it is held already, by another one or by a load that is being
/// asked.
class Hold {
 public:
  explicit Hold(Run& run) : run_(run) {
    if (run.busy.exchange(true))
      throw std::runtime_error(
          "this simulation is at work already: in another thread, or asking a load or an energy; make one for each "
          "thread");
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
    throw std::runtime_error(fmt::format(
        "a load or an energy raised an exception in the step after t = {:g} s; restore a checkpoint, or begin anew",
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

/// Looks after signals and the progress bar about ten times a second. Ctrl-C ends the run; what else is raised comes
/// through.
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
      if (!progress_.is_none()) progress_(simulation.fraction(), simulation.time());
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

/// Runs to the end and records, in memory and, if a path is given, in a file as the command writes it: with the samples
/// of earlier calls, as the result that is returned. Returns whether Ctrl-C ended it.
bool run_to_end(Run& run, nb::object progress, std::optional<std::string> path, bool with_error) {
  const Hold hold(run);
  refuse_broken(run);
  Watch watch(progress);
  Simulation& simulation = *run.simulation;
  const State& now = simulation.state();
  if (with_error && (simulation.steps_done() > 0 || !now.applied.empty() || now.work.applied() != 0))
    throw nb::value_error(
        "estimate_error compares with a second run of the model alone: take no step and apply nothing before it");
  const nb::gil_scoped_release unlocked;
  const ResultLayout layout = result_layout(simulation);
  if (!run.recording) run.recording = std::make_shared<Recording>(layout);
  if (path) {
    const std::lock_guard lock(hdf5_mutex());
    const bool ended = layout.samples == 0 || (simulation.done() && simulation.steps_done() > 0);
    if (ended && run.recording->samples() == 0)
      throw ResultError(
          fmt::format("{}: there is nothing to write: the run ended at t = {:g} s by step(), and samples "
                      "are taken by run() alone; call run() before its end",
                      *path, simulation.time()));
    run.file = std::make_unique<FileRecorder>(*path, layout, *run.recording);
  }
  Recorders recorder({run.recording.get(), run.file.get()});
  const auto finish = [&](Certificate certificate) {
    if (certificate.status == Certificate::Status::running) return run.recording->finish(certificate);
    recorder.finish(certificate);
    run.file.reset();
  };
  const auto broken_off = [&](Certificate::Status status, const char* how) {
    Certificate certificate = simulation.certificate();
    certificate.status = status;
    certificate.reason = fmt::format("{} at t = {:g} s", how, simulation.time());
    finish(std::move(certificate));
  };
  try {
    Certificate certificate = simulation.run(recorder, [&] { return watch(simulation); });
    if (with_error && certificate.complete()) {
      certificate.trajectory = estimate_error(simulation.model(), certificate);
      judge(certificate);
    }
    finish(std::move(certificate));
  } catch (const nb::python_error& error) {
    const nb::gil_scoped_acquire lock;
    run.broken = !watch.between_steps;
    watch.interrupted = error.matches(PyExc_KeyboardInterrupt);  // it came while a load or an energy was asked
    if (watch.interrupted)
      broken_off(Certificate::Status::interrupted, "interrupted");
    else
      broken_off(Certificate::Status::failed, "stopped by an exception");
    if (!watch.interrupted) throw;
  } catch (const std::exception&) {
    run.broken = true;
    broken_off(Certificate::Status::failed, "stopped by an exception");
    throw;
  }
  return watch.interrupted;
}

nb::dict sample(Run& run) {
  const Hold hold(run);
  const Sample s = run.simulation->sample();
  const std::size_t n = run.bodies.size();
  const auto rows = [](const std::vector<double>& numbers, std::size_t count, std::size_t width) {
    return array(numbers, {count, width});
  };
  nb::dict out;
  out["time"] = s.time;
  out["position"] = rows(s.positions, n, 3);
  out["quaternion"] = rows(s.quaternions, n, 4);
  out["velocity"] = rows(s.velocities, n, 3);
  out["angular_velocity"] = rows(s.angular_velocities, n, 3);
  out["acceleration"] = rows(s.accelerations, s.accelerations.size() / 3, 3);
  out["angular_acceleration"] = rows(s.angular_accelerations, s.angular_accelerations.size() / 3, 3);
  out["reaction"] = rows(s.reactions, s.reactions.size() / 6, 6);
  out["multipliers"] = array(s.multipliers, {s.multipliers.size()});
  out["energy"] = nb::make_tuple(s.energy.kinetic, s.energy.gravitational, s.energy.strain, s.energy.work,
                                 s.energy.dissipated, s.energy.algorithmic);
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

/// A checkpoint, with what was recorded until then.
struct Saved {
  Simulation::Checkpoint checkpoint;
  std::string method;
  std::size_t samples = 0;
};

Saved save(Run& run) {
  const Hold hold(run);
  return {run.simulation->checkpoint(), run.simulation->certificate().integrator,
          run.recording ? run.recording->samples() : 0};
}

void restore(Run& run, const Saved& saved) {
  const Hold hold(run);
  const State &then = saved.checkpoint.stepper.state, &now = run.simulation->state();
  if (saved.method != run.simulation->certificate().integrator || then.nodes.size() != now.nodes.size() ||
      then.lambda.size() != now.lambda.size() || then.work.forces.size() != now.work.forces.size() ||
      then.memory.size() != now.memory.size())
    throw nb::value_error("the checkpoint is of another model or integrator");
  const StepPlan &plan = saved.checkpoint.stepper.plan, &own = run.simulation->plan();
  if (plan.h() != own.h() || plan.end != own.end)
    throw nb::value_error(
        fmt::format("the checkpoint is of a run with step {:g} s to {:g} s; this one has {:g} s to {:g} s", plan.h(),
                    plan.end, own.h(), own.end)
            .c_str());
  run.simulation->restore(saved.checkpoint);
  if (run.recording && run.recording->samples() > saved.samples) run.recording = run.recording->first(saved.samples);
  run.broken = false;
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
PyType_Slot slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

}  // namespace

void bind_simulation(nb::module_& m) {
  nb::class_<Saved>(m, "Checkpoint", "All that a run depends on, to be put back later.");
  nb::class_<Run>(m, "Run", nb::type_slots(slots), "A simulation of a model.")
      .def(nb::init<const ModelHandle&>(), "model"_a)
      .def("step", &step, "count"_a = 1)
      .def("run", &run_to_end, "progress"_a.none(), "path"_a.none(), "estimate_error"_a = false)
      .def("sample", &sample, nb::sig("def sample(self) -> dict[str, typing.Any]"))
      .def("apply", &apply, "body"_a, "force"_a.none(), "torque"_a.none(), "at"_a.none())
      .def("set_velocity", &set_velocity, "body"_a, "velocity"_a.none(), "angular_velocity"_a.none())
      .def("save", &save)
      .def("restore", &restore, "checkpoint"_a)
      .def("certificate",
           [](Run& r) {
             const Hold hold(r);
             const Certificate c = r.simulation->certificate();
             return std::pair(to_json(c), to_text(c));
           })
      .def("state",
           [](Run& r) {
             const Hold hold(r);
             return r.simulation->state();
           })
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
