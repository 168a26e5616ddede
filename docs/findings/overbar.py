# Two readings of the overbars in Nielsen & Krenk (2013), equations (23) and (27), for a free body (needs numpy).
#     python3 docs/findings/overbar.py
#
# A body without force or joint in the paper's variables: the directors q = (q1, q2, q3) and their momenta p, 9 numbers each.
# g(q) is the 3 x 9 matrix with Omega = -g(q) q'/2, C(q) the 6 x 9 matrix with C(q) q' = rates of the 6 products q_i . q_j.
#
#   (23)  dq =  h G(qm)^T Jinv  [G(q) p]           (27)  dp = -h G(pm)^T Jinv [G(p) q] + h C(qm)^T gamma0
#   (28)  gamma0 = (C C^T)^-1 (C(qm) G(pm)^T + C(pm) G(qm)^T) Jinv [G(p) q],   C = C(qm)
#
# with G(q) = -g(q)/2, Jinv = 4 J^-1, qm = (q0 + q1)/2. The brackets are the paper's long overbars: the mean of the products at
# the two ends ("products"), or the product of the means ("letters").
import numpy as np

J = np.diag([0.6, 0.8, 1.0])
Jinv = 4 * np.linalg.inv(J)


def hat(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def G(q):
    """G = -g/2, g(q) dq = sum over cyclic (i, j, k) of e_i (q_j . dq_k - q_k . dq_j), so that G(q) q' = Omega."""
    d = q.reshape(3, 3)  # row j is q_j
    g = np.zeros((3, 9))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        g[i, 3 * k:3 * k + 3] += d[j]
        g[i, 3 * j:3 * j + 3] -= d[k]
    return -g / 2


def C(q):
    d = q.reshape(3, 3)
    c = np.zeros((6, 9))
    for row, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1))):
        c[row, 3 * i:3 * i + 3] += d[j]
        c[row, 3 * j:3 * j + 3] += d[i]
    return c


def residual(y1, y0, h, reading):
    q0, p0, q1, p1 = y0[:9], y0[9:], y1[:9], y1[9:]
    qm, pm = (q0 + q1) / 2, (p0 + p1) / 2
    Gp = (G(q0) @ p0 + G(q1) @ p1) / 2 if reading == "products" else G(qm) @ pm
    Gq = (G(p0) @ q0 + G(p1) @ q1) / 2 if reading == "products" else G(pm) @ qm
    c = C(qm)
    gamma0 = np.linalg.solve(c @ c.T, (c @ G(pm).T + C(pm) @ G(qm).T) @ Jinv @ Gq)
    return np.concatenate([q1 - q0 - h * G(qm).T @ Jinv @ Gp, p1 - p0 + h * G(pm).T @ Jinv @ Gq - h * c.T @ gamma0])


def step(y0, h, reading):
    y = y0.copy()
    for _ in range(30):
        r = residual(y, y0, h, reading)
        A = np.array([(residual(y + e, y0, h, reading) - residual(y - e, y0, h, reading)) / 2e-6 for e in 1e-6 * np.eye(18)]).T
        dy = np.linalg.solve(A, r)
        y -= dy
        if np.abs(dy).max() < 1e-14:
            break
    return y


def figures(y):
    """Energy p.G^T Jinv G p/2, angular momentum in space, and how far the directors are from orthonormal."""
    q, p = y[:9], y[9:]
    l = sum(np.cross(q[3 * j:3 * j + 3], p[3 * j:3 * j + 3]) for j in range(3))
    d = q.reshape(3, 3)
    return 0.5 * (G(q) @ p) @ Jinv @ (G(q) @ p), l, np.abs(d @ d.T - np.eye(3)).max()


Omega = np.array([3, 0.5, -0.9])  # models/free_rigid_body.json
for reading in ("products", "letters"):
    for h in (0.1, 0.05):
        # p = G^T J G q' with q' = R Omega~, R = I: the momenta of the directors
        q0 = np.eye(3).reshape(9)
        q_dot = hat(Omega).T.reshape(9)  # rows: Omega x e_j
        y = np.concatenate([q0, G(q0).T @ J @ G(q0) @ q_dot])
        E0, l0, _ = figures(y)
        dE = dl = off = 0.0
        for _ in range(round(10 / h)):
            y = step(y, h, reading)
            E, l, o = figures(y)
            dE, dl, off = max(dE, abs(E - E0)), max(dl, np.abs(l - l0).max()), max(off, o)
        print(f"overbar on {reading:8}  h = {h:<4} s: energy {E0:.3f} J off by {dE:.1e}, momentum by {dl:.1e}, directors by {off:.1e}")
