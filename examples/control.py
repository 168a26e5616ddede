"""A cart that balances a pole: a controller between the steps, and a motor as a Python function."""

import math

import numpy as np

import polhode

model = polhode.Model(
    name="cart and pole",
    gravity=[0, 0, -9.81],
    bodies=[
        polhode.Body("cart", mass=2, inertia=[0.1, 0.1, 0.1], position=[0, 0, 0]),
        polhode.Body(
            "pole",
            mass=0.5,
            inertia=[0.042, 0.042, 0.001],
            position=[0.5 * math.sin(0.2), 0, 0.5 * math.cos(0.2)],
            orientation={"axis": [0, 1, 0], "angle": 0.2},
        ),
    ],
    joints=[
        polhode.joints.Prismatic("rail", between=["ground", "cart"], at=[0, 0, 0], axis=[1, 0, 0]),
        polhode.joints.Revolute("hinge", between=["cart", "pole"], at=[0, 0, 0], axis=[0, 1, 0]),
    ],
    forces=[polhode.forces.Load("friction", joint="rail", function=lambda t, travel, rate: -0.5 * math.tanh(rate / 0.05))],
)

GAINS = np.array([5.0, 8.0, 90.0, 20.0])  # of travel, its rate, the pole's angle, its rate

sim = polhode.Simulation(model, step=5e-3)
while sim.time < 8:
    now = sim.state
    x, rate = now.position("cart")[0], now.velocity("cart")[0]
    tip = now.rotation_matrix("pole")[:, 2]
    angle, turn = math.atan2(tip[0], tip[2]), now.angular_velocity("pole")[1]
    sim.apply_force("cart", [float(GAINS @ [x, rate, angle, turn]), 0, 0])
    sim.step()

print(f"after {sim.time:g} s: cart at {sim.state.position('cart')[0]:+.4f} m, pole at {angle:+.5f} rad")
print(sim.certificate)
assert abs(angle) < 0.01
assert sim.certificate.energy.balance_error < 1e-10
