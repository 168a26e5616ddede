"""A polhode model as peers want it: indices for names, everything explicit, a spanning tree; and what is checked of every motion:
energy and joints, from the states of the bodies alone, by one formula for all peers.

A flat scene is a dictionary: `bodies` with mass, centre of mass `com` and inertia about it (body axes), pose x, q of the body frame and
its velocity v (space), w (body); `joints` with frames (pa, qa) in body a and (pb, qb) in body b that coincide at the start, z along the
axis; `springs`; `torques`. Body -1 is the ground. `order` is an order of bodies in which parents come first, `parent_joint[b]` the
joint that hangs b into the tree (turned so that its b is the child), or -1 for a free body; `loops` are the other joints.
A state is a row of 13 numbers a body: x, q (w, x, y, z), v, w.
"""
import numpy as np


def rotation(q):
    """Rotation matrices of quaternions w, x, y, z: (..., 4) to (..., 3, 3)."""
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    return np.stack([1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y), 2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x),
                     2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y)], -1).reshape(w.shape + (3, 3))


def quaternion(R):
    """The quaternion w, x, y, z of a rotation matrix, from the largest of its four squares."""
    (a, b, c), (d, e, f), (g, h, i) = np.asarray(R).tolist()
    squares = (1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i)  # 4 w^2, 4 x^2, 4 y^2, 4 z^2
    rows = ((squares[0], h - f, c - g, d - b), (h - f, squares[1], b + d, c + g), (c - g, b + d, squares[2], f + h), (d - b, c + g, f + h, squares[3]))
    q = np.array(rows[squares.index(max(squares))])
    return q / np.linalg.norm(q) * (1 if q[0] >= 0 else -1)


def perpendicular_frame(z):
    """A rotation whose third column is z."""
    z = np.asarray(z, float) / np.linalg.norm(z)
    x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def flatten(model):
    """The flat scene of a polhode model made of rigid bodies, spherical, revolute and prismatic joints, springs and torques."""
    index = {"ground": -1, **{b["name"]: k for k, b in enumerate(model["bodies"])}}
    bodies = []
    for b in model["bodies"]:
        inertia = np.asarray(b["inertia"], float)
        bodies.append({"name": b["name"], "mass": b["mass"], "com": b.get("centre_of_mass", [0, 0, 0]),
                       "inertia": (np.diag(inertia) if inertia.ndim == 1 else inertia).tolist(),
                       "x": b.get("position", [0, 0, 0]), "q": b.get("orientation", [1, 0, 0, 0]),
                       "v": b.get("velocity"), "w": b.get("angular_velocity", [0, 0, 0])})
    x = np.array([b["x"] for b in bodies] + [[0, 0, 0]], float)
    R = rotation([b["q"] for b in bodies] + [[1, 0, 0, 0]])

    joints = []
    for j in model.get("joints", []):
        if j["type"] not in ("spherical", "revolute", "prismatic"):
            raise ValueError(f"joint {j['name']}: peers are not told of {j['type']} joints")
        a, b = (index[name] for name in j["between"])
        pa = R[a].T @ (np.array(j["at"]) - x[a]) if "at" in j else np.array(j.get("at_a", [0, 0, 0]), float)
        pb = R[b].T @ (np.array(j["at"]) - x[b]) if "at" in j else np.array(j.get("at_b", [0, 0, 0]), float)
        axis = np.array(j["axis"]) if "axis" in j else R[a] @ np.array(j["axis_a"], float) if "axis_a" in j else R[a][:, 2]
        frame = perpendicular_frame(axis)
        joints.append({"type": j["type"], "a": a, "b": b, "pa": pa.tolist(), "qa": quaternion(R[a].T @ frame).tolist(),
                       "pb": pb.tolist(), "qb": quaternion(R[b].T @ frame).tolist()})

    springs, torques = [], []
    for f in model.get("forces", []):
        if f["type"] == "spring-damper":
            a, b = (index[name] for name in f["between"])
            springs.append({"a": a, "b": b, "pa": f["at_a"], "pb": f["at_b"], "k": f["stiffness"], "c": f.get("damping", 0),
                            "l": f["length"]})
        elif f["type"] == "torque":
            torques.append({"body": index[f["body"]], "vector": f["vector"]})
        else:
            raise ValueError(f"force {f['name']}: peers are not told of {f['type']}")

    order, parent_joint, loops = spanning_tree(len(bodies), joints)
    complete_velocities(bodies, joints, order, parent_joint, R)
    # planar: all axes are parallel, so that a loop needs two equations only
    axes = [R[j["a"]] @ rotation(j["qa"])[:, 2] for j in joints if j["type"] == "revolute"]
    planar = bool(axes) and len(axes) == len(joints) and all(abs(abs(axes[0] @ axis) - 1) < 1e-12 for axis in axes)
    return {"gravity": model.get("gravity", [0, 0, 0]), "bodies": bodies, "joints": joints, "springs": springs, "torques": torques,
            "order": order, "parent_joint": parent_joint, "loops": loops, "planar": planar,
            "in_xy_plane": bool(planar and abs(axes[0][2]) > 1 - 1e-12)}


def turn_round(j): j.update(a=j["b"], b=j["a"], pa=j["pb"], pb=j["pa"], qa=j["qb"], qb=j["qa"])


def spanning_tree(count, joints):
    """Found breadth first from the ground, along the joints in their order; numbered depth first, as Pinocchio wants it."""
    at = {}
    for k, j in enumerate(joints):
        at.setdefault(j["a"], []).append(k)
        at.setdefault(j["b"], []).append(k)
    parent_joint, children, queue, seen = [-1] * count, {}, [-1], {-1}
    for body in queue:
        for k in at.get(body, []):
            j = joints[k]
            child = j["b"] if j["a"] == body else j["a"]
            if child in seen: continue
            if j["b"] != child: turn_round(j)
            parent_joint[child] = k
            seen.add(child)
            children.setdefault(body, []).append(child)
            queue.append(child)
    order, stack = [], [-1]
    while stack:
        body = stack.pop()
        order.append(body)
        stack += reversed(children.get(body, []))
    used = set(parent_joint)
    loops = [k for k in range(len(joints)) if k not in used]
    for k in loops:
        if joints[k]["b"] < 0: turn_round(joints[k])
    return order[1:] + [b for b in range(count) if b not in seen], parent_joint, loops


def complete_velocities(bodies, joints, order, parent_joint, R):
    """A velocity that was left out is that of the joint's point on the parent."""
    for b in order:
        body = bodies[b]
        if body["v"] is not None: continue
        body["v"] = [0.0, 0.0, 0.0]
        if parent_joint[b] < 0: continue
        j = joints[parent_joint[b]]
        at_point = np.zeros(3)
        if j["a"] >= 0:
            parent = bodies[j["a"]]
            at_point = np.array(parent["v"]) + R[j["a"]] @ np.cross(parent["w"], j["pa"])
        body["v"] = (at_point - R[b] @ np.cross(body["w"], j["pb"])).tolist()


class Physics:
    """Energy and joint errors of states of a flat scene."""

    def __init__(self, scene):
        bodies, joints, springs = scene["bodies"], scene["joints"], scene["springs"]
        def column(rows, key, shape): return np.array([r[key] for r in rows], float).reshape((len(rows),) + shape)
        def indices(rows, key): return np.array([r[key] for r in rows], int)
        self.mass, self.com = column(bodies, "mass", ()), column(bodies, "com", (3,))
        self.J, self.gravity = column(bodies, "inertia", (3, 3)), np.array(scene["gravity"], float)
        self.ja, self.jb = indices(joints, "a"), indices(joints, "b")
        self.pa, self.pb = column(joints, "pa", (3,)), column(joints, "pb", (3,))
        self.Fa, self.Fb = rotation(column(joints, "qa", (4,))), rotation(column(joints, "qb", (4,)))
        self.type = np.array([j["type"] for j in joints], dtype=object)
        self.sa, self.sb = indices(springs, "a"), indices(springs, "b")
        self.spa, self.spb = column(springs, "pa", (3,)), column(springs, "pb", (3,))
        self.k, self.l = column(springs, "k", ()), column(springs, "l", ())
        self.conservative = not scene["torques"] and not any(s["c"] for s in springs)

    @staticmethod
    def _frames(state):
        x = np.vstack([state[:, :3], np.zeros(3)])  # the ground is the last, index -1
        R = np.concatenate([rotation(state[:, 3:7]), np.eye(3)[None]])
        return x, R

    @staticmethod
    def _points(x, R, body, p): return x[body] + np.einsum("nij,nj->ni", R[body], p)

    def energy(self, state):
        """Kinetic, gravitational and strain energy of a state [J]."""
        x, R = self._frames(state)
        w = state[:, 10:13]
        arm = np.einsum("nij,nj->ni", R[:-1], self.com)
        v = state[:, 7:10] + np.einsum("nij,nj->ni", R[:-1], np.cross(w, self.com))
        kinetic = 0.5 * np.sum(self.mass * np.sum(v * v, 1)) + 0.5 * np.einsum("ni,nij,nj->", w, self.J, w)
        gravitational = -np.sum(self.mass[:, None] * (state[:, :3] + arm) * self.gravity)
        length = np.linalg.norm(self._points(x, R, self.sb, self.spb) - self._points(x, R, self.sa, self.spa), axis=1)
        return kinetic, gravitational, 0.5 * np.sum(self.k * (length - self.l) ** 2)

    def total_energy(self, state): return sum(self.energy(state))

    def joint_error(self, state):
        """The largest distance of two anchors that should be one [m], or angle between axes or frames [rad]."""
        if not len(self.ja): return 0.0
        x, R = self._frames(state)
        gap = self._points(x, R, self.ja, self.pa) - self._points(x, R, self.jb, self.pb)
        A, B = R[self.ja] @ self.Fa, R[self.jb] @ self.Fb
        slide = self.type == "prismatic"
        gap[slide] -= A[slide, :, 2] * np.einsum("ni,ni->n", gap[slide], A[slide, :, 2])[:, None]
        tilt = np.linalg.norm(np.cross(A[:, :, 2], B[:, :, 2]), axis=1)
        tilt[self.type == "spherical"] = 0
        return float(max(np.abs(gap).max(), tilt.max()))


def start_state(scene):
    return np.array([[*b["x"], *b["q"], *b["v"], *b["w"]] for b in scene["bodies"]], float)
