"""Reads a model file (or, without one, the text below) and takes its steps one by one, looking at the motion in between.

    python step_by_step.py models/heavy_top.json
"""

import sys

import polhode

PENDULUM = """{
  "polhode": 1, "name": "pendulum", "gravity": [0, 0, -9.81],
  "bodies": [ { "name": "bob", "type": "particle", "mass": 1, "position": [1, 0, 0] } ],
  "joints": [ { "type": "rod", "between": ["ground", "bob"] } ],
  "simulation": { "step": 0.01, "end_time": 1 }
}"""

try:
    model = polhode.Model.load(sys.argv[1]) if len(sys.argv) > 1 else polhode.Model.from_json(PENDULUM)
    simulation = polhode.Simulation(model)
    tenth = max(1, simulation.steps // 10)
    while not simulation.done:
        simulation.step(min(tenth, simulation.steps - simulation.steps_done))
        now = simulation.state
        x, y, z = now.positions[0]
        print(f"t = {now.time:.3f} s  x = ({x:9.6f}, {y:9.6f}, {z:9.6f}) m  E = {now.energy.total:.12f} J")
except (polhode.ModelError, polhode.SimulationError) as error:  # says where, what, by how much and what to try
    sys.exit(str(error))
