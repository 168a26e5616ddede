// What is left out of a picture is not seen: claims about the page's own arithmetic, without a browser.
import { expect, test } from "@playwright/test";
import { sidesFor } from "../src/geometry";
import { thinOut } from "../src/thin_out";

test("a path without the points that tell nothing stays within the tolerance, in pieces that are short enough", () => {
  const count = 4000, points = new Float32Array(3 * count), tolerance = 1e-3, longest = 0.1;
  for (let i = 0; i < count; ++i) {
    const t = (6 * Math.PI * i) / (count - 1);
    points.set([Math.cos(t), Math.sin(t) * (1 + 0.1 * Math.cos(7 * t)), 0.1 * t], 3 * i);
  }
  const kept = thinOut(points, tolerance, longest), at = (i: number) => [...points.subarray(3 * i, 3 * i + 3)];
  expect(kept[0]).toBe(0);
  expect(kept[kept.length - 1]).toBe(count - 1);
  expect(kept.length).toBeLessThan(count / 5);
  let worst = 0, stretch = 0;
  for (let k = 0; k + 1 < kept.length; ++k) {
    const a = at(kept[k]), b = at(kept[k + 1]), d = b.map((x, j) => x - a[j]), length = Math.hypot(...d);
    stretch = Math.max(stretch, length);
    for (let i = kept[k] + 1; i < kept[k + 1]; ++i) {
      const p = at(i).map((x, j) => x - a[j]), u = Math.min(1, Math.max(0, p.reduce((s, x, j) => s + x * d[j], 0) / length ** 2));
      worst = Math.max(worst, Math.hypot(...p.map((x, j) => x - u * d[j])));
    }
  }
  expect(worst).toBeLessThan(1.001 * tolerance); // single precision
  expect(stretch).toBeLessThan(longest);
});

test("the corners of what is drawn for a circle stay within a quarter of a pixel", () => {
  for (let radius = 0.1; radius < 110; radius *= 1.3) {
    const sides = sidesFor(radius), error = radius * (1 - Math.cos(Math.PI / sides));
    expect(error).toBeLessThan(radius < 58 ? 0.26 : 0.5);
  }
});
