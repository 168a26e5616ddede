"""The scenes of the benchmarks, each defined once: a polhode model for any size. Standard library only.

    python3 benchmarks/scenes.py                        what there is
    python3 benchmarks/scenes.py chain_spherical 1000   the model of a scene, to the standard output

Mechanisms that models/ has come from there.
"""
import json
import re
import sys
from pathlib import Path

MODELS = Path(__file__).resolve().parent.parent / "models"
sys.path.insert(0, str(MODELS))
from generate import (X, Y, Z, add, andrews, bricard, chain, cross, cuboid, document, flyball, four_bar, inverse,  # noqa: E402
                      middle, minus, product, quaternion, quaternion_of, rod_between, scaled, simulation, turn, unit)

GRAVITY = [0, 0, -9.81]


def from_file(name):
    """A model of models/ that is written by hand, without its comments."""
    return json.loads(re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*', lambda m: m[1] or "", (MODELS / f"{name}.json").read_text()))


def heavy_top():
    return from_file("heavy_top")


def straight_chain(n):
    """N rods of 1 m with spherical joints, straight, 45 degrees to gravity, let go at rest."""
    along = unit([1, 0, -1])
    turned = quaternion(Y, 3 * 0.7853981633974483)  # z to `along`
    bodies = [{"name": f"body{k + 1}", "mass": 1, "inertia": [0.1, 0.1, 0.02], "position": scaled(k + 0.5, along),
               "orientation": turned} for k in range(n)]
    joints = [{"name": f"joint{k + 1}", "type": "spherical", "between": [f"body{k}" if k else "ground", f"body{k + 1}"],
               "at_a": [0, 0, 0.5] if k else [0, 0, 0], "at_b": [0, 0, -0.5]} for k in range(n)]
    return {"comment": straight_chain.__doc__, "name": f"straight chain of {n}", "gravity": GRAVITY,
            "bodies": bodies, "joints": joints, "simulation": simulation(0.01, 1)}


def binary_tree(n):
    """A binary tree of N rods, 1 m long at the root, its two children at the end of each rod by spherical joints; at rest."""
    bodies, joints, ends, axes = [], [], [], []
    for k in range(n):
        parent = (k - 1) // 2
        depth = (k + 1).bit_length()
        length, mass = 0.8 ** (depth - 1), 0.6 ** (depth - 1)
        if k == 0:
            start, along = [0, 0, 0], unit([1, 0.3, -0.5])
        else:
            side = 1 if k % 2 else -1
            across = unit(cross(axes[parent], [0.2, 1, 0.1] if depth % 2 else [0.1, 0.3, 1]))
            start, along = ends[parent], unit(add(axes[parent], scaled(0.7 * side, across)))
        end = add(start, scaled(length, along))
        ends.append(end)
        axes.append(along)
        body = rod_between(f"body{k}", start, end, [0.3, 0.2, 0.9], mass, 0.1 * length)
        bodies.append(body)
        half = [length / 2, 0, 0]
        joints.append({"name": f"joint{k}", "type": "spherical", "between": [f"body{parent}" if k else "ground", f"body{k}"],
                       "at_a": [0.8 ** (depth - 2) / 2, 0, 0] if k else [0, 0, 0], "at_b": scaled(-1, half)})
    return {"comment": binary_tree.__doc__, "name": f"binary tree of {n}", "gravity": GRAVITY, "bodies": bodies,
            "joints": joints, "simulation": simulation(0.01, 1)}


def grid_of_loops(n):
    """A net of n x n cells hung from a rail: rods between the nodes of a grid that is buckled like an egg box, so that no two
    rods are in line, held together at every node by spherical joints; let go at rest. Every cell is a loop of four rods."""
    def node(i, j): return [float(j), 0.25 * ((i + j) % 2) + 0.1 * i, -0.95 * i]
    meeting, bodies, joints = {}, [], []
    def rod(name, one, other):
        start, end = node(*one), node(*other)
        body = rod_between(name, start, end, [0.2, 1, 0.1], 1.0, 0.05)
        bodies.append(body)
        for place in (one, other): meeting.setdefault(place, []).append(name)
    for i in range(n):
        for j in range(n + 1): rod(f"down{i}.{j}", (i, j), (i + 1, j))
        for j in range(n): rod(f"across{i}.{j}", (i + 1, j), (i + 1, j + 1))
    for place, rods in meeting.items():
        first = "ground" if place[0] == 0 else rods[0]
        for name in rods if place[0] == 0 else rods[1:]:
            joints.append({"name": f"{first} to {name}", "type": "spherical", "between": [first, name], "at": node(*place)})
    return {"comment": grid_of_loops.__doc__, "name": f"net of {n} x {n} cells", "gravity": GRAVITY, "bodies": bodies,
            "joints": joints, "simulation": simulation(0.005, 1)}


def lattice(n):
    """n x n x n free boxes of 1 kg, 0.25 m apart, with a spring of 1000 N/m from face to face between neighbours, the upper layer
    held to the ceiling by such springs; the springs are too short by 10 %, so that the lattice shakes."""
    bodies, forces = [], []
    def name(i, j, k): return f"box{i}.{j}.{k}"
    for i in range(n):
        for j in range(n):
            for k in range(n):
                bodies.append({"name": name(i, j, k), "mass": 1, "inertia": [0.0021, 0.0025, 0.0029],
                               "position": [0.25 * i + 0.02 * (j % 2), 0.25 * j + 0.01 * (k % 3), -0.25 * k],
                               "velocity": [0, 0, 0], "angular_velocity": [0, 0, 0]})
    def spring(a, b, half):
        forces.append({"name": f"{a} to {b}", "type": "spring-damper", "between": [a, b], "at_a": half, "at_b": scaled(-1, half),
                       "stiffness": 1000, "length": 0.09})
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if i + 1 < n: spring(name(i, j, k), name(i + 1, j, k), [0.075, 0, 0])
                if j + 1 < n: spring(name(i, j, k), name(i, j + 1, k), [0, 0.075, 0])
                if k + 1 < n: spring(name(i, j, k), name(i, j, k + 1), [0, 0, -0.075])
                if k == 0:
                    for side in (-1, 1):  # two, so that it does not swing like a pendulum alone
                        forces.append({"name": f"hanger{i}.{j}.{side}", "type": "spring-damper", "between": ["ground", name(i, j, k)],
                                       "at_a": [0.25 * i + 0.1 * side, 0.25 * j, 0.25], "at_b": [0, 0, 0.075],
                                       "stiffness": 1000, "length": 0.15})
    return {"comment": lattice.__doc__, "name": f"lattice of {n}^3 boxes", "gravity": GRAVITY, "bodies": bodies, "joints": [],
            "forces": forces, "simulation": simulation(0.002, 1)}


SCENES = {
    "heavy_top": heavy_top, "chain_spherical": lambda n: chain("spherical", n), "chain_revolute": lambda n: chain("revolute", n),
    "straight_chain": straight_chain, "binary_tree": binary_tree, "four_bar": four_bar, "grid_of_loops": grid_of_loops,
    "andrews": andrews, "bricard": bricard, "flyball": flyball, "lattice": lattice}


def model(scene, *size):
    """The model of a scene, without comments and references."""
    made = SCENES[scene](*size)
    return {"polhode": 1, **{key: value for key, value in made.items() if key not in ("comment", "reference")}}


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("\n".join(SCENES))
    elif sys.argv[1] in SCENES:
        json.dump(model(sys.argv[1], *map(int, sys.argv[2:])), sys.stdout)
    else:
        sys.exit(f"{sys.argv[1]}: no such scene; there are {', '.join(SCENES)}")
