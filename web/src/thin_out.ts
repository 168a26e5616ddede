// A polygon with fewer points that looks the same (Douglas and Peucker): what is left out lies within `tolerance` of what stays,
// and no piece is longer than `longest`, so that a path can be drawn as far as a motion has come.

/// Indices of the points that stay, of x, y, z in a row.
export function thinOut(points: Float32Array, tolerance: number, longest: number): number[] {
  const count = points.length / 3, kept = new Uint8Array(count);
  if (count === 0) return [];
  kept[0] = kept[count - 1] = 1;
  const between: [number, number][] = [[0, count - 1]];
  for (let piece = between.pop(); piece; piece = between.pop()) {
    const [from, to] = piece;
    if (to - from < 2) continue;
    let worst = -1, middle = (from + to) >> 1;
    for (let i = from + 1; i < to; ++i) {
      const d = squaredDistance(points, i, from, to);
      if (d > worst) { worst = d; middle = i; }
    }
    if (worst <= tolerance * tolerance) {
      if (squaredLength(points, from, to) <= longest * longest) continue;
      middle = (from + to) >> 1;
    }
    kept[middle] = 1;
    between.push([from, middle], [middle, to]);
  }
  const out: number[] = [];
  for (let i = 0; i < count; ++i) if (kept[i]) out.push(i);
  return out;
}

function squaredLength(p: Float32Array, i: number, j: number): number {
  return (p[3 * j] - p[3 * i]) ** 2 + (p[3 * j + 1] - p[3 * i + 1]) ** 2 + (p[3 * j + 2] - p[3 * i + 2]) ** 2;
}

/// Of point i from the piece between `from` and `to`.
function squaredDistance(p: Float32Array, i: number, from: number, to: number): number {
  const dx = p[3 * to] - p[3 * from], dy = p[3 * to + 1] - p[3 * from + 1], dz = p[3 * to + 2] - p[3 * from + 2];
  const x = p[3 * i] - p[3 * from], y = p[3 * i + 1] - p[3 * from + 1], z = p[3 * i + 2] - p[3 * from + 2];
  const length = dx * dx + dy * dy + dz * dz;
  const u = length > 0 ? Math.min(1, Math.max(0, (x * dx + y * dy + z * dz) / length)) : 0;
  return (x - u * dx) ** 2 + (y - u * dy) ** 2 + (z - u * dz) ** 2;
}
