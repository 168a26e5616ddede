"""polhode: mechanisms simulated with time integrators that keep energy, momentum, constraints and rotations.

    import polhode

    model = polhode.Model.load("top.json")
    result = polhode.simulate(model, integrator=polhode.EnergyMomentum(order=4), step=1e-3, end_time=2)
    print(result.certificate)

Units are SI, angles radians. Quaternions are w, x, y, z and take body to space components.
"""

from . import bodies, drives, forces, functions, integrators, joints, plot, study
from ._core import version as __version__
from .bodies import FixedPoint, Particle, Scalar
from .bodies import Rigid as Body
from .certificate import Certificate
from .drives import Drive
from .errors import Finding, ModelError, ResultError, SimulationError, SimulationInterrupted
from .integrator import Integrator
from .integrators import *  # noqa: F403  a class for each method
from .model import Model, ModelWarning, SimulationOptions
from .result import Energy, Result, read_result
from .simulation import Simulation, Snapshot, simulate
from .study import check
from .system import Evaluation, State, System

__all__ = [
    "Body", "Certificate", "Drive", "Energy", "Evaluation", "Finding", "FixedPoint", "Integrator", "Model", "ModelError", "ModelWarning", "Particle", "Result",
    "ResultError", "Scalar", "Simulation", "SimulationError", "SimulationInterrupted", "SimulationOptions", "Snapshot", "State", "System",
    "__version__", "bodies", "check", "drives", "forces", "functions", "integrators", "joints", "plot", "read_result", "simulate", "study",
]
__all__ += integrators.__all__
