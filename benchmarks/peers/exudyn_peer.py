"""Exudyn: rigid bodies in redundant coordinates with joints, as its users build them.

    exudyn_peer.py SCENE --method NAME (--step H | --tolerance TOL) --end T [--samples K] [--repeat R] [--states FILE] [--set KEY=NUMBER]

Methods: trapezoidal (implicit trapezoidal rule, index 2, Newmark), generalized-alpha (index 3; rho_inf by --set
rho=0.9), both with --set lie=1: Lie-group nodes (rotation vector), lie=0: Euler parameters; explicit methods, rk44, dopri5, rk67, dverk6, for open
trees of hinges and slides as a kinematic tree in minimal coordinates, and for bodies without joints. --set sparse=1: Eigen's sparse LU.
Mechanisms in the plane are built of its planar bodies and joints (--set planar=0: not). Time is that of the solver's steps alone.
"""
import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

import exudyn as exu
import exudyn.itemInterface as items
from exudyn.rigidBodyUtilities import RigidBodyInertia, RotationVector2RotationMatrix, RotationMatrix2EulerParameters, AngularVelocity2EulerParameters_t

sys.path.insert(0, str(Path(__file__).resolve().parent))
from flat import quaternion, rotation  # noqa: E402

EXPLICIT = {"rk44": exu.DynamicSolverType.RK44, "dopri5": exu.DynamicSolverType.DOPRI5, "rk67": exu.DynamicSolverType.RK67,
            "dverk6": exu.DynamicSolverType.DVERK6}


class Spatial:
    """Bodies with six freedoms, nodes at their centres of mass."""

    def __init__(self, scene, mbs, lie):
        self.scene, self.mbs, self.nodes, self.bodies = scene, mbs, [], []
        self.ground = mbs.AddObject(items.ObjectGround())
        g = np.array(scene["gravity"], float)
        for b in scene["bodies"]:
            R, w, com = rotation(b["q"]), np.array(b["w"], float), np.array(b["com"], float)
            x, v = np.array(b["x"]) + R @ com, np.array(b["v"]) + R @ np.cross(w, com)
            if lie:
                node = mbs.AddNode(items.NodeRigidBodyRotVecLG(
                    referenceCoordinates=[*x, *rotation_vector(R)], initialCoordinates=[0] * 6, initialVelocities=[*v, *w]))
            else:
                p = RotationMatrix2EulerParameters(R)
                node = mbs.AddNode(items.NodeRigidBodyEP(
                    referenceCoordinates=[*x, *p], initialCoordinates=[0] * 7,
                    initialVelocities=[*v, *AngularVelocity2EulerParameters_t(R @ w, p)]))
            J = np.array(b["inertia"])
            body = mbs.AddObject(items.ObjectRigidBody(
                mass=b["mass"], inertia=[J[0, 0], J[1, 1], J[2, 2], J[1, 2], J[0, 2], J[0, 1]], nodeNumber=node))
            if g.any(): mbs.AddLoad(items.LoadMassProportional(markerNumber=mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body)), loadVector=g))
            self.nodes.append(node)
            self.bodies.append(body)
        for k, j in enumerate(scene["joints"]): self.joint(j, k in scene["loops"])
        for s in scene["springs"]:
            mbs.AddObject(items.ObjectConnectorSpringDamper(
                markerNumbers=[self.marker(s["a"], s["pa"]), self.marker(s["b"], s["pb"])], referenceLength=s["l"],
                stiffness=s["k"], damping=s["c"]))
        for t in scene["torques"]:
            mbs.AddLoad(items.LoadTorqueVector(markerNumber=self.marker(t["body"], scene["bodies"][t["body"]]["com"]), loadVector=t["vector"]))

    def marker(self, body, p, frame=None):
        p = np.array(p, float) - (self.scene["bodies"][body]["com"] if body >= 0 else np.zeros(3))
        place = {"localPosition": p} if frame is None else {"localHT": exu.HT(rotation=frame, translation=p)}
        return self.mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=self.bodies[body] if body >= 0 else self.ground, **place))

    def joint(self, j, closing):
        markers = [self.marker(j["a"], j["pa"], rotation(j["qa"])), self.marker(j["b"], j["pb"], rotation(j["qb"]))]
        if j["type"] == "spherical":
            self.mbs.AddObject(items.ObjectJointSpherical(markerNumbers=markers))
        else:
            # a loop's last joint leaves out what follows from the others: no redundant equations, which its solvers do not like
            free = {"revolute": [1, 1, 1, 1, 1, 0], "prismatic": [1, 1, 0, 1, 1, 1]}[j["type"]]
            if closing: free = [1, 1, 0, 0, 0, 0] if self.scene["planar"] else [1, 1, 1, 1, 0, 0]
            self.mbs.AddObject(items.ObjectJointGeneric(markerNumbers=markers, constrainedAxes=free))

    def sensors(self):
        kinds = (exu.OutputVariableType.Position, exu.OutputVariableType.RotationMatrix, exu.OutputVariableType.Velocity,
                 exu.OutputVariableType.AngularVelocityLocal)
        at = [(body, -np.array(b["com"], float)) for body, b in zip(self.bodies, self.scene["bodies"])]
        return [[self.mbs.AddSensor(items.SensorBody(bodyNumber=body, localPosition=p, storeInternal=True, outputVariableType=kind))
                 for kind in kinds] for body, p in at]

    def states(self, sensors, times):
        rows = np.zeros((len(times), len(sensors), 13))
        for b, (x, R, v, w) in enumerate(sensors):
            data = [self.mbs.GetSensorStoredData(s) for s in (x, R, v, w)]
            for k, t in enumerate(times):
                row = [d[np.argmin(np.abs(d[:, 0] - t)), 1:] for d in data]
                rows[k, b] = [*row[0], *quaternion(row[1].reshape(3, 3)), *row[2], *row[3]]
        return rows


class Planar(Spatial):
    """Bodies with three freedoms in the plane of a planar mechanism, whose axes are z."""

    def __init__(self, scene, mbs, lie):
        self.scene, self.mbs, self.nodes, self.bodies = scene, mbs, [], []
        self.ground = mbs.AddObject(items.ObjectGround())
        g = np.array(scene["gravity"], float)
        for b in scene["bodies"]:
            R, w, com = rotation(b["q"]), np.array(b["w"], float), np.array(b["com"], float)
            x, v = np.array(b["x"]) + R @ com, np.array(b["v"]) + R @ np.cross(w, com)
            node = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[x[0], x[1], np.arctan2(R[1, 0], R[0, 0])],
                                                     initialCoordinates=[0] * 3, initialVelocities=[v[0], v[1], w[2]]))
            body = mbs.AddObject(items.ObjectRigidBody2D(mass=b["mass"], inertia=b["inertia"][2][2], nodeNumber=node))
            if g.any(): mbs.AddLoad(items.LoadMassProportional(markerNumber=mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body)), loadVector=g))
            self.nodes.append(node)
            self.bodies.append(body)
        for j in scene["joints"]:
            mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[self.marker(j["a"], j["pa"]), self.marker(j["b"], j["pb"])]))
        for s in scene["springs"]:
            mbs.AddObject(items.ObjectConnectorSpringDamper(
                markerNumbers=[self.marker(s["a"], s["pa"]), self.marker(s["b"], s["pb"])], referenceLength=s["l"],
                stiffness=s["k"], damping=s["c"]))
        for t in scene["torques"]:
            mbs.AddLoad(items.LoadTorqueVector(markerNumber=self.marker(t["body"], scene["bodies"][t["body"]]["com"]), loadVector=t["vector"]))


class Tree:
    """A kinematic tree in minimal coordinates: hinges and slides only."""

    def __init__(self, scene, mbs):
        self.scene, self.mbs = scene, mbs
        order = scene["order"]
        self.link = {b: k for k, b in enumerate(order)}
        R0 = [rotation(b["q"]) for b in scene["bodies"]]
        types, parents, transforms, offsets, inertias, coms, masses, rates = [], [], [], [], [], [], [], []
        for b in order:  # a link's frame is the frame of its joint
            j, body = scene["joints"][scene["parent_joint"][b]], scene["bodies"][b]
            types.append({"revolute": exu.JointType.RevoluteZ, "prismatic": exu.JointType.PrismaticZ}[j["type"]])
            parents.append(self.link.get(j["a"], -1))
            Pa, Fa = self.in_joint(j["a"], np.array(j["pa"])), self.frame(j["a"])
            transforms.append(Fa.T @ rotation(j["qa"]))
            offsets.append(Pa)
            F = rotation(j["qb"])
            inertias.append(F.T @ np.array(body["inertia"]) @ F)
            coms.append(F.T @ (np.array(body["com"]) - j["pb"]))
            masses.append(body["mass"])
            w = R0[b] @ body["w"]
            if j["a"] >= 0: w = w - R0[j["a"]] @ scene["bodies"][j["a"]]["w"]
            rates.append((R0[b] @ F)[:, 2] @ w)
        n = len(order)
        node = mbs.AddNode(items.NodeGenericODE2(referenceCoordinates=[0] * n, initialCoordinates=[0] * n, initialCoordinates_t=rates,
                                                 numberOfODE2Coordinates=n))
        self.tree = mbs.AddObject(items.ObjectKinematicTree(
            nodeNumber=node, jointTypes=types, linkParents=parents, jointTransformations=exu.Matrix3DList(transforms),
            jointOffsets=exu.Vector3DList(offsets), linkInertiasCOM=exu.Matrix3DList(inertias), linkCOMs=exu.Vector3DList(coms),
            linkMasses=masses, gravity=scene["gravity"], baseOffset=[0, 0, 0]))

    def frame(self, body): return np.eye(3) if body < 0 else rotation(self.scene["joints"][self.scene["parent_joint"][body]]["qb"])

    def in_joint(self, body, p):
        if body < 0: return p
        j = self.scene["joints"][self.scene["parent_joint"][body]]
        return rotation(j["qb"]).T @ (p - np.array(j["pb"]))

    def sensors(self):
        kinds = (exu.OutputVariableType.Position, exu.OutputVariableType.RotationMatrix, exu.OutputVariableType.Velocity,
                 exu.OutputVariableType.AngularVelocityLocal)
        return [[self.mbs.AddSensor(items.SensorKinematicTree(
                    objectNumber=self.tree, linkNumber=self.link[b], localPosition=self.in_joint(b, np.zeros(3)), storeInternal=True,
                    outputVariableType=kind)) for kind in kinds] for b in range(len(self.scene["bodies"]))]

    def states(self, sensors, times):
        rows = Spatial.states(self, sensors, times)
        for b in range(len(sensors)):  # from the joint's frame to the body's
            F = self.frame(b)
            for row in rows[:, b]:
                row[3:7] = quaternion(rotation(row[3:7]) @ F.T)
                row[10:13] = F @ row[10:13]
        return rows


def rotation_vector(R):
    q = quaternion(R)
    s = np.linalg.norm(q[1:])
    return 2 * np.arctan2(s, q[0]) / s * q[1:] if s > 0 else np.zeros(3)


def run(o, values):
    scene = json.loads(Path(o.scene).read_text())
    explicit = o.method in EXPLICIT
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    if explicit and scene["joints"] and all(j["type"] != "spherical" for j in scene["joints"]) and not scene["loops"] and not scene["springs"]:
        model = Tree(scene, mbs)
    elif explicit and scene["joints"]:
        sys.exit("explicit methods of Exudyn want no joints, or a tree of hinges and slides without springs")
    elif scene["in_xy_plane"] and values.get("planar", 1) and not explicit:
        model = Planar(scene, mbs, False)
    else:
        model = Spatial(scene, mbs, bool(values.get("lie", 1)))
    sensors = model.sensors() if o.states else []
    mbs.Assemble()
    settings = exu.SimulationSettings()
    t = settings.timeIntegration
    t.endTime = o.end
    t.verboseMode = 0
    t.numberOfSteps = round(o.end / o.step) if o.step else 1000
    t.adaptiveStep = False
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = o.end / o.samples
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse if values.get("sparse", 0) else exu.LinearSolverType.EXUdense
    t.newton.relativeTolerance = values.get("newton", 1e-10)
    t.newton.absoluteTolerance = values.get("newton", 1e-10)
    t.newton.useModifiedNewton = bool(values.get("modified", 1))
    if explicit:
        t.automaticStepSize = bool(o.tolerance)
        if o.tolerance: t.absoluteTolerance = t.relativeTolerance = o.tolerance
        t.solverType = EXPLICIT[o.method]
        t.explicit.computeEndOfStepAccelerations = False
    else:
        t.generalizedAlpha.useIndex2Constraints = t.generalizedAlpha.useNewmark = o.method == "trapezoidal"
        t.generalizedAlpha.spectralRadius = values.get("rho", 0.9)
    seconds, steps, iterations = np.inf, 0, 0
    for _ in range(o.repeat):
        solver = exu.MainSolverExplicit() if explicit else exu.MainSolverImplicitSecondOrder()
        if not solver.InitializeSolver(mbs, settings): sys.exit("Exudyn: the solver does not start")
        began = time.process_time()
        done = solver.SolveSteps(mbs, settings)
        seconds = min(seconds, time.process_time() - began)
        solver.FinalizeSolver(mbs, settings)
        steps, iterations = solver.it.currentStepIndex, solver.it.newtonStepsCount
        if not done: sys.exit("Exudyn: the solver gave up")
    if o.states:
        times = [o.end * (k + 1) / o.samples for k in range(o.samples)]
        model.states(sensors, times).tofile(o.states)
    print(json.dumps({"seconds": seconds, "steps": int(steps), "iterations": int(iterations)}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("scene")
    for name, kind, value in (("method", str, None), ("step", float, 0), ("tolerance", float, 0), ("end", float, 1), ("samples", int, 1),
                              ("repeat", int, 1), ("states", str, "")):
        parser.add_argument(f"--{name}", type=kind, default=value)
    parser.add_argument("--set", action="append", default=[])
    arguments = parser.parse_args()
    exu.config.printToConsole = False
    run(arguments, {key: float(value) for key, value in (entry.split("=") for entry in arguments.set)})
