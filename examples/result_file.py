"""Writes a motion that we know, a particle on the unit circle, as a result, reads it back and prints it as CSV."""

import math
import tempfile

import numpy as np

import polhode

model = polhode.Model(
    name="circle",
    bodies=[polhode.Particle("particle", mass=1, position=[1, 0, 0], velocity=[0, 1, 0])],
    joints=[polhode.joints.Rod(between=["ground", "particle"])],
    simulation=polhode.SimulationOptions(
        integrator=polhode.EnergyMomentum(order=4), step=math.pi / 400, end_time=2 * math.pi, output_step=math.pi / 4
    ),
)

with tempfile.TemporaryDirectory() as folder:
    polhode.simulate(model).save(f"{folder}/circle.h5")
    result = polhode.read_result(f"{folder}/circle.h5")

columns = result.columns()
names = ["time", "particle.position.x", "particle.position.y", "particle.position.z", "energy.kinetic"]
print(",".join(names))
for row in zip(*(columns[name] for name in names)):
    print(",".join(repr(float(number)) for number in row))

circle = np.column_stack([np.cos(result.time), np.sin(result.time), 0 * result.time])
assert result.complete and np.abs(result.position("particle") - circle).max() < 1e-8  # order 4, 100 steps a quarter turn
