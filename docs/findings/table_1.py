"""The order of Table 1 of Nielsen & Krenk (2013): update, then test; or test, then update. What each leaves of the energy.

Both chains of section 6 in the paper's own 24 n + m unknowns, equations (23), (25), (27), (28), Newton's matrix by complex steps;
none of polhode's code. Needs numpy. Some 2 minutes.
"""

import numpy as np

M, g = 12.0, 9.81
J_inverse = 4 * np.diag(1 / np.array([9.25, 10.0, 1.25]))
top, bottom = np.array([1, 0, 0, 1.5]), np.array([1, 0, 0, -1.5])  # joints of a box: q0 + x_j q_j
N = 4


def G(q):  # of nine numbers q1, q2, q3, (7) and (8): Omega = G(q) dq/dt
    q1, q2, q3 = q[..., 0:3], q[..., 3:6], q[..., 6:9]
    o = np.zeros_like(q1)
    rows = [(o, q3, -q2), (-q3, o, q1), (q2, -q1, o)]
    return 0.5 * np.stack([np.concatenate(r, -1) for r in rows], -2)


def C(q):  # (5)
    q1, q2, q3 = q[..., 0:3], q[..., 3:6], q[..., 6:9]
    o = np.zeros_like(q1)
    rows = [(q1, o, o), (o, q2, o), (o, o, q3), (o, q3, q2), (q3, o, q1), (q2, q1, o)]
    return np.stack([np.concatenate(r, -1) for r in rows], -2)


def times(A, x):
    return np.einsum("...ij,...j->...i", A, x)


def turned(A, x):  # A^T x
    return np.einsum("...ji,...j->...i", A, x)


def joints(q, revolute):  # Phi, (34) or (37), and its gradient by q, for bodies q of shape (..., N, 12)
    batch = q.shape[:-2]
    rows = 5 if revolute else 3
    phi = np.zeros((*batch, N * rows), q.dtype)
    B = np.zeros((*batch, N * rows, N, 12), q.dtype)
    ground = np.zeros(12, q.dtype)
    ground[[3, 7, 11]] = 1
    for j in range(N):
        r = j * rows
        below = q[..., j, :]
        above = q[..., j - 1, :] if j else np.broadcast_to(ground, below.shape)
        at = bottom if j else np.array([1, 0, 0, 0])
        phi[..., r : r + 3] = times(np.kron(top, np.eye(3)), below) - times(np.kron(at, np.eye(3)), above)
        B[..., r : r + 3, j, :] = np.kron(top, np.eye(3))
        if j:
            B[..., r : r + 3, j - 1, :] = -np.kron(bottom, np.eye(3))
        if revolute:  # the axis is director 1 of the upper body
            for k, d in ((3, 6), (4, 9)):
                phi[..., r + k] = (above[..., 3:6] * below[..., d : d + 3]).sum(-1)
                B[..., r + k, j, d : d + 3] = above[..., 3:6]
                if j:
                    B[..., r + k, j - 1, 3:6] = below[..., d : d + 3]
    return phi, B


def residual(q0, p0, u, h, revolute):  # (23), (27), (25)
    n = 12 * N
    q, p, lam = u[..., :n].reshape(*u.shape[:-1], N, 12), u[..., n : 2 * n].reshape(*u.shape[:-1], N, 12), u[..., 2 * n :]
    qm, pm = 0.5 * (q0 + q), 0.5 * (p0 + p)
    Gq, Gp, Cq, Cp = G(qm[..., 3:]), G(pm[..., 3:]), C(qm[..., 3:]), C(pm[..., 3:])
    mean = 0.5 * (times(G(q0[..., 3:]), p0[..., 3:]) + times(G(q[..., 3:]), p[..., 3:]))  # of G(q) p = -G(p) q
    a = mean @ J_inverse
    inverse = np.linalg.inv(Cq @ np.swapaxes(Cq, -1, -2))
    gamma0 = -times(inverse, times(Cq, turned(Gp, a)) + times(Cp, turned(Gq, a)))
    _, B = joints(qm, revolute)
    f = np.einsum("...rnk,...r->...nk", B, lam)
    f[..., 2] += M * g
    forces = f[..., 3:] - turned(Cq, times(inverse, times(Cq, f[..., 3:])))
    rq = q - q0
    rq[..., :3] -= h * pm[..., :3] / M
    rq[..., 3:] -= h * turned(Gq, a)
    rp = p - p0
    rp[..., :3] += h * f[..., :3]
    rp[..., 3:] += -h * turned(Gp, a) - h * turned(Cq, gamma0) + h * forces
    flat = u.shape[:-1]
    return np.concatenate([rq.reshape(*flat, n), rp.reshape(*flat, n), joints(q, revolute)[0]], -1)


def energy_and_l3(u):
    q, p = u[: 12 * N].reshape(N, 12), u[12 * N : 24 * N].reshape(N, 12)
    Gp = times(G(q[:, 3:]), p[:, 3:])
    energy = 0.5 * (p[:, :3] ** 2).sum() / M + 0.5 * (Gp * (Gp @ J_inverse)).sum() + M * g * q[:, 2].sum()
    spins = np.einsum("njk,nj->nk", q[:, 3:].reshape(N, 3, 3), 2 * Gp)  # Q J Omega
    return energy, (np.cross(q[:, :3], p[:, :3]) + spins)[:, 2].sum()


def start(tilt):
    def turn(k, a):
        i, j = (k + 1) % 3, (k + 2) % 3
        R = np.eye(3)
        R[i, i] = R[j, j] = np.cos(a)
        R[j, i], R[i, j] = np.sin(a), -np.sin(a)
        return R

    q, joint = np.zeros((N, 12)), np.zeros(3)
    for k in range(N):
        R = turn(1, tilt) @ turn(0, np.pi / 4 if k < 2 else 3 * np.pi / 4)
        q[k] = np.concatenate([joint - 1.5 * R[:, 2], R.T.ravel()])
        joint = joint - 3 * R[:, 2]
    return q


def run(revolute, tilt, h, end, test_first, norm, tolerance=1e-8):
    u = np.concatenate([start(tilt).ravel(), np.zeros(12 * N), np.zeros(N * (5 if revolute else 3))])
    n = u.size
    E0, _ = energy_and_l3(u)
    dE = l3 = 0.0
    for _ in range(round(end / h)):
        q0, p0 = u[: 12 * N].reshape(N, 12).copy(), u[12 * N : 24 * N].reshape(N, 12).copy()
        for _ in range(50):
            r = residual(q0, p0, u, h, revolute)
            size = np.linalg.norm(r, norm)
            if test_first and size <= tolerance:
                break
            K = residual(q0, p0, u + 1e-30j * np.eye(n), h, revolute).imag.T / 1e-30
            u = u - np.linalg.solve(K, r)
            if not test_first and size <= tolerance:
                break
        E, l = energy_and_l3(u)
        dE, l3 = max(dE, abs(E - E0)), max(l3, abs(l))
    return dE, l3


if __name__ == "__main__":
    for name, *case in (("6.1", True, 0.0, 0.01, 10.0), ("6.2", False, np.pi / 4, 0.1, 30.0)):
        for words, test_first, norm in (("update, then test", False, 2), ("test, then update", True, 2), ("the same, largest component", True, np.inf)):
            dE, l3 = run(*case, test_first, norm)
            print(f"{name}  {words:28}  energy off by {dE:.1e} J, l3 by {l3:.1e} N m s", flush=True)
