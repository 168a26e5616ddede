// Documents that several tests read.
#pragma once

namespace polhode::documents {

inline constexpr const char* heavy_top = R"({
  "polhode": 1,                                    // format version; comments are allowed
  "name": "heavy top",
  "gravity": [0, 0, -9.81],
  "bodies": [
    { "name": "top", "mass": 15, "inertia": [0.234375, 0.46875, 0.234375],
      "position": [0, 1, 0], "angular_velocity": [0, 150, -4.61538] }   // body components
  ],
  "joints": [ { "name": "tip", "type": "spherical", "between": ["ground", "top"], "at": [0, 0, 0] } ],
  "simulation": { "integrator": { "name": "energy-momentum" }, "step": 1e-3, "end_time": 2 }
})";

/// One of everything, with numbers that have no short binary form.
inline constexpr const char* everything = R"({
  "$schema": "model.schema.json",
  "polhode": 1, "name": "everything \"at\" once", "description": "no machine", "source": "none",
  "gravity": [0.1, -0.2, -9.81],
  /* every type of body */
  "bodies": [
    { "name": "a", "mass": 1.1, "inertia": [1, 1.1, 1.2], "orientation": [0.6, 0, 0.8, 0] },
    { "name": "b", "type": "rigid", "mass": 2, "inertia": [[2, 0.1, 0], [0.1, 2.1, 0.3], [0, 0.3, 2.2]],
      "inertia_about": "origin", "inertia_frame": { "axis": [1, 2, 3], "angle": 0.7 }, "centre_of_mass": [0.1, 0, -0.0],
      "position": [1, 0, 0], "orientation": { "rotation_vector": [0.1, 0.2, 0.3] },
      "velocity": [0, 0, 0], "angular_velocity": [1e-300, 3.3333333333333335, 1e22] },
    { "name": "top", "type": "fixed-point", "mass": 3, "inertia": [4, 4, 1], "inertia_about": "pivot",
      "centre_of_mass": [0, 0, 0.3], "position": [0.5, 0.5, 0.5], "pivot": [0.5, 0.4, 0.5],
      "orientation": [[0, -1, 0], [1, 0, 0], [0, 0, 1]], "angular_velocity": [0, 0, 10] },
    { "name": "c", "mass": 1, "inertia": [1, 1, 1], "inertia_about": [0.1, 0.1, 0.1] },
    { "name": "p", "type": "particle", "mass": 0.3, "position": [3, 0, 0], "velocity": [0, 1, 0] },
    { "name": "s", "type": "scalar", "mass": 0.4, "position": [0, 5, 0], "axis": [0, 1, 0.1], "coordinate": 0.2,
      "rate": -0.1, "shapes": [
        { "type": "box", "size": [0.1, 0.2, 0.3], "at": [0.1, 0, 0], "color": "#aa3300" },
        { "type": "cylinder", "radius": 0.1, "length": 0.7, "frame": { "axis": [1, 0, 0], "angle": 0.3 } },
        { "type": "sphere", "radius": 0.1 }, { "type": "cone", "radius": 0.1, "length": 0.7 },
        { "type": "capsule", "radius": 0.1, "length": 0.7 },
        { "type": "mesh", "vertices": [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]], "faces": [[0, 1, 2]] } ] }
  ],
  "joints": [
    { "name": "spherical", "type": "spherical", "between": ["ground", "a"], "at": [0, 0, 0.1] },
    { "name": "revolute", "type": "revolute", "between": ["a", "b"], "at": [0.5, 0, 0], "axis": [0, 0, 1] },
    { "name": "gear", "type": "gear", "joints": ["revolute", "cylindrical"], "ratio": -2.5 },
    { "name": "universal", "type": "universal", "between": ["ground", "c"], "axis_a": [1, 0, 0], "axis_b": [0, 1, 0] },
    { "name": "cylindrical", "type": "cylindrical", "between": ["a", "c"], "at_a": [1, 0, 0], "at_b": [0, 1, 0],
      "axis_a": [0, 0, 1], "axis_b": [0, 1, 1] },
    { "name": "prismatic", "type": "prismatic", "between": ["b", "c"], "axis": [1, 1, 0] },
    { "name": "planar", "type": "planar", "between": ["ground", "b"], "axis": [0, 0, 2] },
    { "name": "weld", "type": "weld", "between": ["b", "ground"] },
    { "name": "line", "type": "point-on-line", "between": ["a", "p"], "axis_a": [1, 0, 0] },
    { "name": "plane", "type": "point-on-plane", "between": ["ground", "s"], "axis": [1, 0, 0] },
    { "name": "rod", "type": "rod", "between": ["a", "p"], "at_a": [0.1, 0, 0] },
    { "name": "long rod", "type": "rod", "between": ["p", "s"], "length": 7.7 },
    { "name": "screw", "type": "screw", "between": ["ground", "c"], "axis": [0, 0, 1], "pitch": 0.01 },
    { "type": "rack", "joints": ["prismatic", "revolute"], "radius": 0.3 }
  ],
  "drives": [
    { "name": "turn", "joint": "revolute", "motion": { "type": "ramp", "from": 0, "to": 1, "start": 0, "end": 2, "smooth": true } },
    { "name": "pull", "type": "travel", "joint": "cylindrical", "motion": { "type": "sum", "functions": [
        1, { "type": "harmonic", "amplitude": 0.1, "angular_frequency": 6.28, "phase": 0.1, "offset": 0.01 } ] } },
    { "type": "length", "between": ["ground", "p"], "at_a": [0, 0, 1], "motion": 3 },
    { "type": "angle", "between": ["a", "c"], "axis": [0, 0, 1],
      "motion": { "type": "table", "times": [0, 0.1, 0.3], "values": [0, 1, -0.1], "interpolation": "cubic" } }
  ],
  "forces": [
    { "name": "spring", "type": "spring-damper", "between": ["a", "b"], "at_b": [0, 0, 0.1], "stiffness": 100.1, "damping": 0.1,
      "length": 0.2 },
    { "type": "torsional-spring-damper", "joint": "screw", "stiffness": 3, "damping": 0.3, "angle": 0.1 },
    { "type": "bushing", "between": ["a", "b"], "at": [0, 0, 0], "frame": [0, 0, 0.6, 0.8],
      "stiffness": [1, 2, 3, 4, 5, 6.6], "damping": [0, 0, 0, 0.1, 0.2, 0.3] },
    { "type": "force", "body": "a", "at": [0, 0, 1], "vector": [1, 2, 3.3], "follower": true },
    { "type": "force", "body": "p", "function": [1, 0, { "type": "polynomial", "coefficients": [0, 1, 0.1] }] },
    { "type": "torque", "body": "b", "vector": [0, 0, 1], "function": { "type": "piecewise", "times": [0, 1],
        "functions": [{ "type": "constant", "value": 2 }, { "type": "table", "times": [1, 2], "values": [3, 4] }] } },
    { "type": "joint-force", "joint": "prismatic", "function": 10 },
    { "type": "joint-force", "joint": "cylindrical", "coordinate": "angle", "function": 0.1 }
  ],
  "simulation": { "integrator": { "name": "generalized-alpha", "rho_inf": 0.8, "update": "exp1" }, "step": 0.001,
    "end_time": 2, "output_step": 0.01, "assembly": "project", "newton": { "tolerance": 1e-12, "max_iterations": 30 } }
})";

}  // namespace polhode::documents
