#!/usr/bin/env python3
"""Writes the models whose numbers are computed: closed loops, chains, rods at angles. Standard library only.

    python3 generate.py                       every model of FILES, beside this file
    python3 generate.py four_bar 7            one of them, with its arguments, to the standard output
    python3 generate.py chain spherical 1000

The other models in this folder are written by hand. Every pose closes its loops to rounding, and every velocity
satisfies the joints.
"""
import json
import math
import sys
import textwrap
from math import cos, pi, sin, sqrt
from pathlib import Path


# ---- vectors and rotations ----------------------------------------------------------------------------------

def add(*vectors): return [sum(c) for c in zip(*vectors)]
def scaled(s, a): return [s * c for c in a]
def minus(a, b): return [x - y for x, y in zip(a, b)]
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def cross(a, b): return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]
def unit(a): return scaled(1 / sqrt(dot(a, a)), a)
def middle(a, b): return scaled(0.5, add(a, b))


def quaternion(axis, angle):
    """[w, x, y, z] of a turn by `angle` about `axis`."""
    return [cos(angle / 2)] + scaled(sin(angle / 2), unit(axis))


def inverse(q): return [q[0]] + scaled(-1, q[1:])


def product(p, q):
    """The rotation q first, then p."""
    w = p[0]*q[0] - dot(p[1:], q[1:])
    return [w] + add(scaled(p[0], q[1:]), scaled(q[0], p[1:]), cross(p[1:], q[1:]))


def turn(q, v):
    """The vector v turned by the quaternion q."""
    t = scaled(2, cross(q[1:], v))
    return add(v, scaled(q[0], t), cross(q[1:], t))


def quaternion_of(x, y, z):
    """The rotation with the columns x, y, z: the row of 4 q q^T with the largest diagonal, normalised."""
    d = [1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2]]
    rows = [[d[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]],
            [y[2] - z[1], d[1], x[1] + y[0], z[0] + x[2]],
            [z[0] - x[2], x[1] + y[0], d[2], y[2] + z[1]],
            [x[1] - y[0], z[0] + x[2], y[2] + z[1], d[3]]]
    q = rows[d.index(max(d))]
    return scaled((-1 if q[0] < 0 else 1) / sqrt(dot(q, q)), q)


def cuboid(mass, x, y, z):
    """Moments of inertia of a box about its centre, to 15 digits."""
    return [float(f"{moment:.15g}") for moment in
            (mass * (y*y + z*z) / 12, mass * (x*x + z*z) / 12, mass * (x*x + y*y) / 12)]


# ---- mechanisms ---------------------------------------------------------------------------------------------

IFTOMM = "IFToMM Library of Computational Benchmark Problems in Multibody Dynamics, "
X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]


def revolute(name, a, b, at, axis):
    return {"name": name, "type": "revolute", "between": [a, b], "at": at, "axis": axis}


def loop(bodies, names, points, axes):
    """Revolute joints, named `names`, from the ground through all bodies and back to the ground."""
    ring = ["ground"] + [b["name"] for b in bodies] + ["ground"]
    return [revolute(names[k], ring[k], ring[k + 1], points[k], axes[k]) for k in range(len(points))]


def simulation(step, end_time):
    return {"integrator": {"name": "energy-momentum"}, "step": step, "end_time": end_time}


def four_bar(n):
    """Uprights hinged to the ground at (k, 0), k = 0 ... n, and bars between their upper ends. Starts upright."""
    n = int(n)
    rod = {"mass": 1, "inertia": [1 / 600, 1 / 12, 1 / 12]}   # along x
    bodies, joints = [], []
    for k in range(n + 1):
        bodies.append({"name": f"upright{k}", **rod, "position": [k, 0.5, 0],
                       "orientation": quaternion(Z, pi / 2), "velocity": [0.5, 0, 0], "angular_velocity": [0, 0, -1]})
        joints.append(revolute(f"A{k}", "ground", f"upright{k}", [k, 0, 0], Z))
    for k in range(n):
        bodies.append({"name": f"bar{k}", **rod, "position": [k + 0.5, 1, 0],
                       "velocity": [1, 0, 0], "angular_velocity": [0, 0, 0]})
        joints.append(revolute(f"B{k}", f"upright{k}", f"bar{k}", [k, 1, 0], Z))
        joints.append(revolute(f"C{k}", f"bar{k}", f"upright{k + 1}", [k + 1, 1, 0], Z))
    return {
        "comment": f"""{2*n + 1} rods of 1 m and 1 kg, moment of inertia m L^2 / 12; about its own axis a rod
            has 1/600 kg m^2, our choice, which does not matter in the plane. All rods lie in one line when
            the uprights are level: there the mechanism could fold into another branch of its motion. The
            upper end of upright0 starts with the velocity (1, 0). In space each closed loop has three joint
            equations too many.""",
        "name": f"{n}-four-bar",
        "description": f"N-four-bar mechanism, N = {n}, planar and redundant, with singular positions.",
        "source": IFTOMM + "A02",
        "gravity": [0, -9.81, 0], "bodies": bodies, "joints": joints, "simulation": simulation(0.001, 10)}


def chain(joint, n):
    """n boxes hung from the origin; the paper's four, repeated: two at pi/4 from the vertical, two at 3 pi/4."""
    n = int(n)
    tilt = quaternion(Y, pi / 4 if joint == "spherical" else 0)   # theta_2
    bodies, joints, upper_end = [], [], [0, 0, 0]
    for k in range(n):
        orientation = product(tilt, quaternion(X, pi / 4 if k % 4 < 2 else 3 * pi / 4))   # theta_1
        half = turn(orientation, [0, 0, -1.5])
        bodies.append({"name": f"body{k + 1}", "mass": 12, "inertia": [9.25, 10, 1.25],
                       "position": add(upper_end, half), "orientation": orientation})
        link = {"name": f"joint{k + 1}", "type": joint,
                "between": [f"body{k}" if k else "ground", f"body{k + 1}"],
                "at_a": [0, 0, -1.5] if k else [0, 0, 0], "at_b": [0, 0, 1.5]}
        joints.append({**link, "axis_a": X, "axis_b": X} if joint == "revolute" else link)
        upper_end = add(upper_end, half, half)
    tilted = joint == "spherical"
    return {
        "comment": """Boxes of 1 x 0.5 x 3 m, 12 kg, hung end to end from the origin and let go at rest. A
            body at the angle theta_1 hangs along (0, sin theta_1, -cos theta_1); theta_1 = pi/4, pi/4, 3
            pi/4, 3 pi/4. """
            + ("The whole is turned by theta_2 = pi/4 about y." if tilted else ""),
        "name": f"chain of {n} with {joint} joints",
        "description": f"Hanging chain of {n} rigid boxes with {joint} joints, released from rest; chaotic.",
        "source": "Nielsen & Krenk, Multibody motion in implicitly constrained director format "
                  "with links via explicit constraints, ECCOMAS Multibody Dynamics 2013, section "
                  + ("6.2" if tilted else "6.1"),
        "gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints,
        "simulation": simulation(0.1, 30) if tilted else simulation(0.01, 10)}


def andrews():
    """Seven plates in the plane; symbols of the test set, whose angles are given to 30 digits."""
    m = [0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498]
    I = [2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
    A, B, C = [-0.06934, -0.00227, 0], [-0.03635, 0.03273, 0], [0.014, 0.072, 0]
    d, da, e, ea, rr, ra = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
    sa, sb, sc, sd, ta, tb = 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
    u, ua, ub, zf, zt, fa = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
    beta, theta, gamma = -0.0617138900142764496358948458001, 0.0, 0.455279819163070380255912382449
    phi, delta = 0.222668390165885884674473185609, 0.487364979543842550225598953530
    omega, epsilon = -0.222668390165885884674473185609, 1.23054744454982119249735015568

    def at(point, angle, x, y): return add(point, turn(quaternion(Z, angle), [x, y, 0]))
    O = [0, 0, 0]
    F = at(O, beta, rr, 0)
    E = at(F, beta + theta, -d, 0)
    H = at(A, delta, zt, 0)
    G = at(A, epsilon, 0, -u)
    frames = [  # of K1 ... K7: origin, angle, centre of mass
        (O, beta, [ra, 0, 0]), (F, beta + theta, [-da, 0, 0]), (B, gamma, [sb, -sa, 0]),
        (H, phi + delta, [0, ea - e, 0]), (A, delta, [ta, tb, 0]), (G, omega + epsilon, [zf - fa, 0, 0]),
        (A, epsilon, [ub, -ua, 0])]
    bodies = [{"name": f"K{k + 1}", "mass": m[k], "inertia": [I[k]] * 3, "centre_of_mass": centre,
               "position": origin, "orientation": quaternion(Z, angle)}
              for k, (origin, angle, centre) in enumerate(frames)]
    joints = [revolute(name, a, b, point, Z) for name, a, b, point in (
        ("O", "ground", "K1", O), ("F", "K1", "K2", F), ("B", "ground", "K3", B), ("A5", "ground", "K5", A),
        ("A7", "ground", "K7", A), ("H", "K5", "K4", H), ("G", "K7", "K6", G),
        ("E3", "K2", "K3", E), ("E4", "K2", "K4", E), ("E6", "K2", "K6", E))]
    return {
        "comment": """Seven bodies K1 ... K7 in the plane, hinged at O, A, B (fixed), E (four bodies), F, G,
            H. A motor at O turns the crank K1 with 0.033 N m; a spring holds the point D of K3 to the fixed
            point C. The frame of a body is turned by its angle in the test set: beta (K1), beta + theta
            (K2), gamma (K3), phi + delta (K4), delta (K5), omega + epsilon (K6), epsilon (K7). Of the
            moments of inertia only those about z matter, and of the centres of mass of K3, K5, K7 only the
            distances from B, A, A; the rest is our choice.""",
        "name": "Andrews' squeezing mechanism",
        "description": "Planar seven-body mechanism with three closed loops, a stiff spring and a motor.",
        "source": "Test Set for Initial Value Problem Solvers (CWI; Bari), Andrews' squeezing mechanism; Hairer "
                  "& Wanner, Solving Ordinary Differential Equations II, section VII.7; " + IFTOMM + "A03",
        "bodies": bodies, "joints": joints,
        "forces": [{"name": "motor", "type": "torque", "body": "K1", "vector": [0, 0, 0.033]},
                   {"name": "spring", "type": "spring-damper", "between": ["ground", "K3"], "at_a": C,
                    "at_b": [sd, -sc, 0], "stiffness": 4530, "length": 0.07785}],
        "simulation": simulation(1e-5, 0.05)}


def bricard():
    """Six revolute joints in a loop, axes perpendicular to the rods; by counting it should not move."""
    P = [[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]]
    axes = [Y, Z, X, Y, Z, X]
    bodies = []
    for k in range(5):
        x = minus(P[k + 1], P[k])
        bodies.append({"name": f"rod{k + 1}", "mass": 1, "inertia": cuboid(1, 1, 0.1, 0.1),
                       "position": middle(P[k], P[k + 1]),
                       "orientation": quaternion_of(x, axes[k], cross(x, axes[k]))})
    return {
        "comment": """Five moving rods of 1 m, 1 kg, cross-section 0.1 x 0.1 m, and the ground as the sixth.
            30 joint equations for 30 coordinates, one of them redundant at every pose. The frame of a rod
            lies in its middle, x along it.""",
        "name": "Bricard",
        "description": "Bricard's overconstrained six-bar loop of revolute joints, falling from rest.",
        "source": IFTOMM + "A04",
        "gravity": [0, -9.81, 0], "bodies": bodies, "joints": loop(bodies, [f"P{k}" for k in range(6)], P, axes),
        "simulation": simulation(0.001, 10)}


def flyball():
    """Watt's governor: two rods with balls on a turning shaft, springs in place of the lower rods."""
    alpha, omega0 = pi / 6, 2 * pi
    m_rod, m_ball = 0.3, 5.0
    mass = m_rod + m_ball
    centre = (m_rod * 0.5 + m_ball) / mass
    I = cuboid(m_rod, 1, 0.01, 0.01)
    across = I[1] + m_rod * (0.5 - centre)**2 + m_ball * (1 - centre)**2
    bodies = [{"name": "shaft", "mass": 0.3, "inertia": cuboid(0.3, 0.01, 0.01, 1), "position": [0, 0, 0.5],
               "velocity": [0, 0, 0], "angular_velocity": [0, 0, omega0],
               "shapes": [{"type": "cylinder", "radius": 0.012, "length": 1},
                          {"type": "box", "size": [0.14, 0.03, 0.03], "at": [0, 0, 0.5]}]},
              {"name": "slider", "mass": 3, "inertia": cuboid(3, 0.1, 0.1, 0.1), "position": [0, 0, 0.5],
               "velocity": [0, 0, 0], "angular_velocity": [0, 0, omega0],
               "shapes": [{"type": "box", "size": [0.1, 0.1, 0.1]}]}]
    joints = [revolute("bearing", "ground", "shaft", [0, 0, 0], Z),
              {"name": "guide", "type": "prismatic", "between": ["shaft", "slider"], "at": [0, 0, 0.5],
               "axis": Z}]
    forces = []
    along_x = {"axis": Y, "angle": pi / 2}
    for side, sign, angle in (("right", 1, alpha), ("left", -1, pi - alpha)):
        q, pivot = quaternion(Y, angle), [0.05 * sign, 0, 1]
        bodies.append({"name": f"{side} rod", "mass": mass, "inertia": [I[0], across, across],
                       "centre_of_mass": [centre, 0, 0], "position": pivot, "orientation": q,
                       "velocity": cross([0, 0, omega0], pivot),
                       "angular_velocity": turn(inverse(q), [0, 0, omega0]),
                       "shapes": [{"type": "cylinder", "radius": 0.01, "length": 1, "at": [0.5, 0, 0], "frame": along_x},
                                  {"type": "sphere", "radius": 0.054, "at": [1, 0, 0]}]})  # 5 kg of steel
        joints.append(revolute(f"{side} pivot", "shaft", f"{side} rod", pivot, Y))
        forces.append({"name": f"{side} spring", "type": "spring-damper", "between": ["slider", f"{side} rod"],
                       "at_a": [0.05 * sign, 0, 0], "at_b": [0.5, 0, 0],
                       "stiffness": 8e5, "damping": 4e4, "length": 0.5})
    return {
        "comment": """A shaft of 1 m turns about z at 2 pi rad/s, with a 3 kg slider on it at the height s =
            0.5 m. From pivots at the height 1 m, 0.05 m off the axis, two rods of 1 m hang out at 30 degrees
            below the horizontal; each carries a ball, a point of 5 kg, at its end, and a stiff damped spring
            goes from its middle to the slider. All bars are 0.01 x 0.01 m, of density 3000 kg/m^3. The frame
            of a rod is at its pivot, x along the rod; rod and ball are one body. Some ports of this
            benchmark start with 0.16 * 2 pi rad/s instead; the reference values hold for 2 pi.""",
        "name": "flyball governor",
        "description": "Stiff flyball governor: shaft, slider, two rods with balls, two stiff damped springs.",
        "source": IFTOMM + "A05",
        "gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints, "forces": forces,
        "simulation": simulation(0.001, 10)}


def rod_between(name, start, end, axis, mass, width):
    """A square rod: frame in its middle, x along it, z as near as can be to `axis`."""
    along = minus(end, start)
    x = unit(along)
    y = unit(cross(axis, x))
    return {"name": name, "mass": mass, "inertia": cuboid(mass, sqrt(dot(along, along)), width, width),
            "position": middle(start, end), "orientation": quaternion_of(x, y, cross(x, y))}


def bennett():
    """Four revolute joints in space: four Denavit-Hartenberg frames, closed by Bennett's condition."""
    a, alpha, beta, theta1 = 1.0, 0.6, 1.1, 1.0
    b = a * sin(beta) / sin(alpha)
    theta2 = 2 * math.atan(sin((beta + alpha) / 2) / sin((beta - alpha) / 2) / math.tan(theta1 / 2))
    frame, origin, points, axes = [1, 0, 0, 0], [0, 0, 0], [], []
    for angle, length, twist in ((theta1, a, alpha), (theta2, b, beta), (-theta1, a, alpha), (-theta2, b, beta)):
        points.append(origin)
        axes.append(turn(frame, Z))
        frame = product(frame, quaternion(Z, angle))
        origin = add(origin, turn(frame, [length, 0, 0]))
        frame = product(frame, quaternion(X, twist))
    assert dot(origin, origin) < 1e-28, "the loop does not close"
    bodies = [rod_between(f"link{k + 1}", points[k], points[k + 1], axes[k], mass, 0.05)
              for k, mass in enumerate((1, 2, 1))]   # the fourth link is the ground
    return {
        "comment": f"""Bennett's linkage: opposite links are equal, of lengths a, b and twists alpha, beta
            that satisfy a sin(beta) = b sin(alpha). Here a = 1 m, alpha = 0.6, beta = 1.1, so b = {b!r} m.
            The angles of opposite hinges are opposite, and tan(theta_1/2) tan(theta_2/2) =
            sin((beta+alpha)/2) / sin((beta-alpha)/2); theta_1 = 1 at the start. The frame of a link lies in
            its middle, x along it.""",
        "name": "Bennett",
        "description": "Bennett's overconstrained four-bar loop of revolute joints in space, falling from rest.",
        "source": "own data; the linkage of G. T. Bennett, A new mechanism, Engineering 76 (1903) 777",
        "gravity": [0, 0, -9.81], "bodies": bodies,
        "joints": loop(bodies, ["hinge1", "hinge2", "hinge3", "hinge4"], points, axes),
        "simulation": simulation(0.001, 5)}


def planar_four_bar():
    """Crank, coupler, rocker of 0.4, 1.2, 0.9 m, base 1 m: 0.4 + 1.2 < 1 + 0.9, so the crank can go round."""
    tilt = quaternion([1, 2, 0], 0.5)
    crank, coupler, rocker, base, angle = 0.4, 1.2, 0.9, 1.0, 1.2
    B, D = [crank * cos(angle), crank * sin(angle), 0], [base, 0, 0]
    d = minus(D, B)
    t = (coupler**2 - rocker**2 + dot(d, d)) / (2 * dot(d, d))   # C: where the circles about B and D meet
    C = add(B, scaled(t, d), scaled(sqrt(coupler**2 / dot(d, d) - t**2), [-d[1], d[0], 0]))
    A, B, C, D, n = (turn(tilt, p) for p in ([0, 0, 0], B, C, D, Z))
    bodies = [rod_between("crank", A, B, n, 0.4, 0.05), rod_between("coupler", B, C, n, 1.2, 0.05),
              rod_between("rocker", C, D, n, 0.9, 0.05)]
    return {
        "comment": """Crank A B of 0.4 m, coupler B C of 1.2 m, rocker C D of 0.9 m, base A D of 1 m, in a
            plane that leans: the x-y plane turned by 0.5 rad about (1, 2, 0). Rods of 0.05 x 0.05 m and 1 kg
            a metre, their frames in the middle, x along the rod. The crank starts at rest, 1.2 rad from A D.""",
        "name": "planar four-bar",
        "description": "A crank-rocker of unequal bars with four revolute joints in space, falling from rest.",
        "source": "own data",
        "gravity": [0, 0, -9.81], "bodies": bodies, "joints": loop(bodies, "ABCD", [A, B, C, D], [n] * 4),
        "simulation": simulation(0.001, 5)}


def slider_crank():
    """Crank turning about x, ball joint at its pin B, universal joint at the slider C, slider along x."""
    A, B, omega = [0, 0.1, 0.12], [0, 0.1, 0.2], [6, 0, 0]
    C = [sqrt(0.3**2 - dot(B, B)), 0, 0]
    v_B = cross(omega, minus(B, A))
    r = minus(C, B)
    v_C = [dot(r, v_B) / r[0], 0, 0]                                  # the rod keeps its length
    omega_rod = scaled(1 / dot(r, r), cross(r, minus(v_C, v_B)))      # and does not turn about itself
    x = unit(r)
    y = unit(cross(Z, x))
    q = quaternion_of(x, y, cross(x, y))
    bodies = [
        {"name": "crank", "mass": 0.12, "inertia": [1e-4, 1e-4, 1e-5], "position": middle(A, B),
         "velocity": scaled(0.5, v_B), "angular_velocity": omega},
        {"name": "rod", "mass": 0.5, "inertia": [4e-4, 4e-3, 4e-3], "position": middle(B, C), "orientation": q,
         "velocity": middle(v_B, v_C), "angular_velocity": turn(inverse(q), omega_rod)},
        {"name": "slider", "mass": 2, "inertia": [1e-4, 1e-4, 1e-4], "position": C,
         "velocity": v_C, "angular_velocity": [0, 0, 0]}]
    joints = [
        revolute("bearing", "ground", "crank", A, X),
        {"name": "pin", "type": "spherical", "between": ["crank", "rod"], "at": B},
        {"name": "cross", "type": "universal", "between": ["slider", "rod"], "at": C, "axis_a": y, "axis_b": Z},
        {"name": "guide", "type": "prismatic", "between": ["ground", "slider"], "at": C, "axis": X}]
    return {
        "comment": """The crank of 0.08 m turns about x through A = (0, 0.1, 0.12) m, starting upright with 6
            rad/s; the rod of 0.3 m goes from its pin to the slider on the x axis. The axes of the universal
            joint are our choice: that of the slider is y of the rod at the start, that of the rod is its z.
            So the rod starts without spin. Frames are at the centres of mass, in the middle of crank and
            rod; x of the rod points to the slider.""",
        "name": "slider crank",
        "description": "Spatial slider-crank: revolute, spherical, universal and prismatic joint, none redundant.",
        "source": "Masses and dimensions: " + IFTOMM + "spatial rigid slider-crank, after Haug, Computer Aided "
                  "Kinematics and Dynamics of Mechanical Systems (1989). Axes of the universal joint: own",
        "gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints, "simulation": simulation(0.001, 5)}


# ---- writing ------------------------------------------------------------------------------------------------

def text(value):
    """One line of JSON, numbers with all their digits. What is 0 but for rounding is written as 0."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}": {text(entry)}' for key, entry in value.items()) + " }"
    if isinstance(value, list):
        if value and all(isinstance(entry, (int, float)) for entry in value):
            rounding = 4e-16 * max(abs(entry) for entry in value)
            value = [0 if abs(entry) < rounding else entry for entry in value]
        return "[" + ", ".join(text(entry) for entry in value) + "]"
    if isinstance(value, float): return repr(int(value) if value == int(value) else value)
    return json.dumps(value, ensure_ascii=False)


def item(entry, width=110):
    """An entry of a list, broken between its keys where it is too long."""
    pieces = [f'"{key}": {text(value)}' for key, value in entry.items()]
    lines = ["    { " + pieces[0]]
    for piece in pieces[1:]:
        if len(lines[-1]) + len(piece) + 2 <= width: lines[-1] += ", " + piece
        else: lines[-1:] = [lines[-1] + ",", "      " + piece]
    return "\n".join(lines) + " }"


def with_reference(model, name):
    """The model, naming the file of its exact motion."""
    return {new: value for key, own in model.items()
            for new, value in ([(key, own), ("reference", f"references/{name}.json")] if key == "source" else [(key, own)])}


def document(model):
    comment = " ".join(model["comment"].split())
    parts = ['  "polhode": 1']
    for key, value in model.items():
        if key in ("bodies", "joints", "forces"):
            parts.append(f'  "{key}": [\n' + ",\n".join(item(entry) for entry in value) + "\n  ]")
        elif key != "comment":
            parts.append(f'  "{key}": {text(value)}')
    return textwrap.fill(comment, 110, initial_indent="// ", subsequent_indent="// ",
                         break_on_hyphens=False) + "\n{\n" + ",\n".join(parts) + "\n}\n"


FILES = {
    "four_bar_2": (four_bar, 2), "four_bar_40": (four_bar, 40),
    "chain_revolute": (chain, "revolute", 4), "chain_spherical": (chain, "spherical", 4),
    "andrews": (andrews,), "bricard": (bricard,), "flyball_governor": (flyball,), "bennett": (bennett,),
    "planar_four_bar": (planar_four_bar,), "slider_crank": (slider_crank,)}

if __name__ == "__main__":
    mechanisms = {make.__name__: make for make, *_ in FILES.values()}
    if len(sys.argv) == 1:
        for name, (make, *arguments) in FILES.items():
            Path(__file__).with_name(f"{name}.json").write_text(
                document(with_reference(make(*arguments), name)), encoding="utf-8")
    elif sys.argv[1] in mechanisms:
        print(document(mechanisms[sys.argv[1]](*sys.argv[2:])), end="")
    else:
        sys.exit(f"{sys.argv[1]}: no such mechanism; there are {', '.join(mechanisms)}")
