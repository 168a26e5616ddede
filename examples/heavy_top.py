"""A model built in Python, without a file: a fast top on a spherical joint, simulated for 2 s. Prints the certificate."""

import polhode

model = polhode.Model(
    name="heavy top",
    gravity=[0, 0, -9.81],
    bodies=[
        polhode.Body(
            "top",
            mass=15,
            inertia=[0.234375, 0.46875, 0.234375],  # about the centre of mass, which is the body's origin
            position=[0, 1, 0],
            angular_velocity=[0, 150, -4.61538],  # body components; the velocity follows from the joint
        )
    ],
    joints=[polhode.joints.Spherical("tip", between=["ground", "top"], at=[0, 0, 0])],
)

result = polhode.simulate(model, integrator=polhode.EnergyMomentum(order=4), step=1e-3, end_time=2)
print(result.certificate)
assert result.certificate.energy.balance_error < 1e-11  # round-off: 10 000 substeps
