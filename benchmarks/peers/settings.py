"""Which scene is run, how long, in which peer, and with which settings. All settings here are tried; tables show each peer's best."""
from dataclasses import dataclass, field


@dataclass
class Scene:
    name: str
    size: tuple
    end: float                      # of the run [s]
    coarsest: int                   # steps of the first run with a fixed step; then twice as many, and so on
    step: float = 0                 # of the table of steps [s]

    @property
    def title(self): return " ".join([self.name, *map(str, self.size)])

    @property
    def slug(self): return self.title.replace(" ", "_")


@dataclass
class Setting:
    peer: str
    method: str
    by: str                         # what is refined: step or tolerance
    options: dict = field(default_factory=dict)
    note: str = ""                  # in words, for tables

    @property
    def label(self): return " ".join([self.method, *(f"{k}={v:g}" if isinstance(v, (int, float)) else f"{k}={v}" for k, v in self.options.items())])


WORK_PRECISION = [
    Scene("heavy_top", (), 1, 32), Scene("chain_spherical", (10,), 2, 8), Scene("chain_revolute", (10,), 2, 8),
    Scene("binary_tree", (15,), 1, 8), Scene("four_bar", (2,), 10, 64), Scene("four_bar", (40,), 10, 64),
    Scene("grid_of_loops", (2,), 1, 8), Scene("andrews", (), 0.03, 32), Scene("bricard", (), 10, 32),
    Scene("flyball", (), 2, 32), Scene("lattice", (3,), 1, 8)]

STEPS = [Scene("heavy_top", (), 0, 0, 0.001)] + [Scene(name, (n,), 0, 0, h) for name, h, sizes in (
    ("chain_spherical", 0.01, (10, 100, 400, 1000, 10000, 100000)), ("straight_chain", 0.01, (100, 1000, 10000, 100000)),
    ("chain_revolute", 0.01, (10, 100, 1000, 10000, 100000)), ("binary_tree", 0.01, (15, 127, 1023, 16383)),
    ("four_bar", 0.001, (2, 40, 200, 1000)), ("grid_of_loops", 0.005, (3, 10, 20)), ("lattice", 0.002, (3, 10))) for n in sizes
]

GROWTH = (100, 1000, 10000, 100000)  # bodies of spherical chains

LOOPS = ("four_bar", "grid_of_loops", "andrews", "bricard")


def work_precision(scene, orders):
    """The settings to try on a scene; `orders`: those that polhode's energy-momentum has."""
    bodies = scene.size[0] if scene.size else 1
    yield from (Setting("polhode", "energy-momentum", "step", {"order": order}) for order in orders)
    if scene.name in LOOPS:
        yield from (Setting("mujoco", "rk4", "step", {"timeconst": c, "impedance": d}) for c in (2, 4) for d in (1e-4, 1e-8))
        yield Setting("mujoco", "implicitfast", "step", {"timeconst": 2, "impedance": 1e-4})
        yield from (Setting("pinocchio", method, by, {"baumgarte": b}) for method, by in (("rk4", "step"), ("rkf78", "tolerance")) for b in (0, 10))
    else:
        yield Setting("mujoco", "rk4", "step")
        if scene.name == "flyball": yield Setting("mujoco", "implicit", "step")
        yield Setting("pinocchio", "rk4", "step", {"world": 1})
        yield from (Setting("pinocchio", "rkf78", "tolerance", {"world": world}) for world in (0, 1))
    yield Setting("simbody", "merson", "tolerance")
    yield Setting("simbody", "cpodes", "tolerance")
    if scene.name == "flyball": yield Setting("simbody", "verlet", "step")
    sparse = {"sparse": 1} if bodies > 4 else {}
    for method, options in (("trapezoidal", {}), ("trapezoidal", {"newton": 1e-8}), ("trapezoidal", {"modified": 0}), ("generalized-alpha", {"rho": 0.9, "modified": 0})):
        yield Setting("exudyn", method, "step", {**options, **sparse})
    if scene.name in ("heavy_top", "chain_spherical", "bricard", "flyball"): yield Setting("exudyn", "trapezoidal", "step", {"lie": 0})
    if scene.name in ("chain_revolute", "lattice"):
        yield from (Setting("exudyn", method, "tolerance") for method in ("dopri5", "rk67", "dverk6"))
    if scene.name not in ("four_bar",) or bodies <= 2: yield Setting("ida", "index-2", "tolerance")


def steps(scene):
    """Settings for time per body and step, with the largest number of bodies each is tried on."""
    n = scene.size[0] if scene.size else 1
    yield Setting("polhode", "energy-momentum", "step", {"order": 2})
    loops = scene.name in LOOPS
    if n <= (40 if scene.name in ("lattice", "grid_of_loops") or loops else 100): yield Setting("mujoco", "rk4", "step")
    if not loops and n <= 10000:  # its model holds the path to the root of every body
        yield Setting("pinocchio", "rk4", "step")
        if n <= 20: yield Setting("pinocchio", "rk4", "step", {"world": 1})  # loses its digits on long chains
        yield Setting("simbody", "verlet", "step")
    if scene.name in ("chain_spherical", "straight_chain", "chain_revolute", "binary_tree", "heavy_top") and n <= 10000: yield Setting("bullet", "euler", "step")
    if scene.name in ("heavy_top", "chain_spherical", "chain_revolute", "four_bar") and n <= 400:
        for method, options in (("trapezoidal", {"lie": 0, "newton": 1e-10}), ("trapezoidal", {"lie": 0, "newton": 1e-6}),
                                ("trapezoidal", {"lie": 1, "newton": 1e-6}), ("generalized-alpha", {"lie": 1, "newton": 1e-6})):
            yield Setting("exudyn", method, "step", {**options, "sparse": int(n > 4)})
