// A report opened from disk: it shows what was recorded, and nothing leaves the page.
import { statSync } from "node:fs";
import { ask, columns, expect, folder, open, report, run, test, write, polhode } from "./polhode";

let top: string, topReport: string;

test.beforeAll(() => {
  top = run("heavy_top", "top.h5", "--output-step", "0.01");
  topReport = report("top.html", top);
});

test("a report of the heavy top is small, and its canvas is not blank", async ({ page }) => {
  expect(statSync(topReport).size).toBeLessThan(1.5e6);
  await open(page, topReport, "t=0.5");
  const first = await ask<number>(page, "app.firstFrame");
  console.log(`report of ${statSync(topReport).size} bytes, first frame after ${first.toFixed(0)} ms`);
  expect(first).toBeGreaterThan(0);  // how quick it is, is told and not tested: that depends on the machine
  const drawn = await page.evaluate(() => {
    const view = document.getElementById("view") as HTMLCanvasElement, app = (window as any).polhode;
    app.stage.set({}); // draws it anew, so that its pixels can be read
    app.stage.draw();
    const canvas = new OffscreenCanvas(view.width, view.height), c = canvas.getContext("2d")!;
    c.drawImage(view, 0, 0);
    const { data } = c.getImageData(0, 0, view.width, view.height), seen = new Set<number>();
    for (let i = 0; i < data.length; i += 4) seen.add((data[i] >> 4) * 256 + (data[i + 1] >> 4) * 16 + (data[i + 2] >> 4));
    return seen.size;
  });
  expect(drawn).toBeGreaterThan(20);
});

test("play advances the time, pause holds it, and at the end it begins again", async ({ page }) => {
  await open(page, topReport);
  expect(await ask<number>(page, "app.player.time")).toBe(0);
  await page.locator("#play").click();
  await page.waitForFunction(() => (window as any).polhode.player.time > 0.3);
  await page.locator("#play").click();
  const held = await ask<number>(page, "app.player.time");
  await page.waitForTimeout(300);
  expect(await ask<number>(page, "app.player.time")).toBe(held);
  await page.evaluate(() => { const { player } = (window as any).polhode; player.seek(1.95); player.play(); });
  await page.waitForFunction(() => (window as any).polhode.player.time < 1);
});

test("scrubbing moves bodies to where they were recorded, to a fraction of a pixel", async ({ page }) => {
  await open(page, topReport);
  const table = columns(top), time = table.get("time")!;
  for (const k of [0, 37, 100, 163, 200]) {
    await page.locator("#scrub").fill(String(k));
    expect(await ask<number>(page, "app.player.time")).toBeCloseTo(time[k], 12);
    const [x, y] = await page.evaluate(() => {
      const app = (window as any).polhode;
      app.stage.draw();
      return app.stage.project(0, 0, [0, 0, 0]);
    });
    const recorded = ["x", "y", "z"].map((c) => table.get(`top.position.${c}`)![k]);
    const expected = await page.evaluate((p) => {
      const { stage } = (window as any).polhode, v = stage.camera.position.clone().set(p[0], p[1], p[2]).project(stage.camera);
      const view = document.getElementById("view")!;
      return [(0.5 + 0.5 * v.x) * view.clientWidth, (0.5 - 0.5 * v.y) * view.clientHeight];
    }, recorded);
    expect(Math.hypot(x - expected[0], y - expected[1])).toBeLessThan(0.05);
  }
});

test("what is drawn is where the recorded body is: its colour is under the projected point", async ({ page }) => {
  await open(page, topReport, "t=0.3&hide=trails,floor,joints");
  const hit = await page.evaluate(() => {
    const app = (window as any).polhode, view = document.getElementById("view") as HTMLCanvasElement;
    app.stage.setTime(app.player.time);
    app.stage.draw();
    const [x, y] = app.stage.project(0, 0, [0, 0, 0]);
    const box = view.getBoundingClientRect();
    return { body: app.stage.pick(box.left + x, box.top + y), aside: app.stage.pick(box.left + 5, box.top + 5) };
  });
  expect(hit).toEqual({ body: 0, aside: -1 });
});

test("plots show the recorded extremes", async ({ page }) => {
  await open(page, topReport);
  const table = columns(top);
  const kinetic = table.get("energy.kinetic")!;
  const lines = await ask<{ label: string; min: number; max: number; values: number[] }[]>(page, 'app.plots.plots.find((p) => p.id === "energy").data()');
  const shown = lines.find((line) => line.label === "kinetic")!;
  expect(shown.max).toBeCloseTo(Math.max(...kinetic), 9);
  expect(shown.min).toBeCloseTo(Math.min(...kinetic), 9);
  expect(Math.abs(Math.max(...shown.values) / Math.max(...kinetic) - 1)).toBeLessThan(1e-6);
  const [low, high] = await ask<[number, number]>(page, 'app.plots.plots.find((p) => p.id === "coordinate").yRange()');
  const all = ["x", "y", "z"].flatMap((c) => table.get(`top.position.${c}`)!);
  expect(low).toBeLessThanOrEqual(Math.min(...all));
  expect(high).toBeGreaterThanOrEqual(Math.max(...all));
});

test("a run that had to be thinned out keeps the extremes of every curve", async ({ page }) => {
  const result = run("heavy_top", "long.h5", "--output-step", "0.001", "--end-time", "6");
  const file = report("long.html", result, "--frames", "100");
  await open(page, file);
  const table = columns(result);
  expect(await ask<number>(page, "app.runs[0].frameCount")).toBeLessThanOrEqual(101);
  for (const c of ["x", "y", "z"]) {
    const recorded = table.get(`top.velocity.${c}`)!;
    const [min, max] = await ask<[number, number]>(page,
      `(() => { const v = app.runs[0].group("velocity", 0).curves.find((k) => k.name === "${c}").values; return [Math.min(...v), Math.max(...v)]; })()`);
    expect(Math.abs(max - Math.max(...recorded))).toBeLessThan(1e-6 * Math.abs(max));
    expect(Math.abs(min - Math.min(...recorded))).toBeLessThan(1e-6 * Math.abs(min));
  }
  const count = await ask<number>(page, 'app.runs[0].group("energy").time.length');
  expect(count).toBeLessThanOrEqual(4002);
  expect(table.get("time")!.length).toBe(6001);
});

test("two results lie over each other: ghosts, curves, a table of differences", async ({ page }) => {
  const other = run("heavy_top", "alpha.h5", "--output-step", "0.01", "--integrator.name", "generalized-alpha", "--integrator.rho_inf", "0.6");
  await open(page, report("both.html", top, other), "t=2");
  await expect(page.locator("#runs .chip")).toHaveCount(2);
  const a = columns(top), b = columns(other), end = a.get("time")!.length - 1;
  const distance = Math.hypot(...["x", "y", "z"].map((c) => a.get(`top.position.${c}`)![end] - b.get(`top.position.${c}`)![end]));
  expect(await ask<number>(page, "app.data.header.differences[0].end_position")).toBeCloseTo(distance, 12);
  const places = await page.evaluate(() => {
    const { stage } = (window as any).polhode;
    stage.draw();
    return [stage.project(0, 0, [0, 0, 0]), stage.project(1, 0, [0, 0, 0])];
  });
  expect(Math.hypot(places[0][0] - places[1][0], places[0][1] - places[1][1])).toBeGreaterThan(0.5);
  expect(await ask<number>(page, 'app.plots.plots.find((p) => p.id === "energy").data().length')).toBe(2);
  await page.locator("#tab-certificate").click();
  await expect(page.locator("caption").first()).toContainText("Differences from energy-momentum");
});

test("the certificate, the model and the options are tables with units", async ({ page }) => {
  await open(page, topReport);
  await page.locator("#tab-certificate").click();
  await expect(page.locator("#page-certificate")).toContainText("Energy at the start");
  await expect(page.locator("#page-certificate")).toContainText("5436 J");
  await expect(page.locator("#page-certificate .badge")).toHaveText("complete");
  await page.locator("#tab-model").click();
  await expect(page.locator("#page-model")).toContainText("15 kg");
  await page.locator("#tab-options").click();
  await expect(page.locator("#page-options")).toContainText("energy-momentum");
  await expect(page.locator("#page-options")).toContainText("0.001 s");
});

test("keys control it, and every control has a name", async ({ page }) => {
  await open(page, topReport);
  await page.locator("#view").focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) await page.keyboard.press(key);
  expect(await ask<number>(page, "app.player.time")).toBeCloseTo(0.01, 9);
  await page.keyboard.press("End");
  expect(await ask<number>(page, "app.player.time")).toBeCloseTo(2, 9);
  for (const [key, option] of [["r", "reactions"], ["f", "frames"], ["p", "polhode"]]) {
    const before = await ask<boolean>(page, `app.stage.options.${option}`);
    await page.keyboard.press(key);
    expect(await ask<boolean>(page, `app.stage.options.${option}`)).toBe(!before);
  }
  await expect(page.locator("#inset")).toContainText("herpolhode");
  await page.keyboard.press("d");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.keyboard.press("?");
  await expect(page.locator("#keys")).toBeVisible();
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input")]
    .filter((e) => !(e.getAttribute("aria-label") || e.textContent?.trim() || e.closest("label")?.textContent?.trim())).map((e) => e.outerHTML));
  expect(nameless).toEqual([]);
});

test("on a phone the view, the time and the plots are there, and nothing sticks out", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, topReport);
  for (const id of ["#view", "#play", "#scrub", "#tab-plots"]) await expect(page.locator(id)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("names of models are text, never markup", async ({ page }) => {
  const name = "<img src=x onerror=alert(1)></script><script>alert(2)</script>";
  const file = write("odd.json", JSON.stringify({
    polhode: 1, name, description: name, gravity: [0, 0, -9.81],
    bodies: [{ name: "b<b>&amp;", type: "particle", mass: 1, position: [1, 0, 0] }],
    joints: [{ name: "</script>", type: "rod", between: ["ground", "b<b>&amp;"] }].map((j) => ({ ...j, name: "<i>" })),
    simulation: { step: 0.01, end_time: 1 },
  }));
  polhode("run", file, "-q", "-o", "odd.h5");
  await open(page, report("odd.html", `${folder}/odd.h5`));
  await expect(page.locator("#title")).toHaveText(name);
  await page.locator("#tab-model").click();
  await expect(page.locator("#page-model th", { hasText: "b<b>&amp;" }).first()).toBeVisible();
});

/// A model of a chain of light rods, straight at the start, hung at one end.
function chain(count: number, end: number): string {
  const length = 0.3, name = `chain ${count}`;
  const bodies = Array.from({ length: count }, (_, i) => ({
    name: `link ${i}`, mass: 1, inertia: [0.0076, 0.0076, 0.0002], position: [(i + 0.5) * length, 0, 0], orientation: { axis: [0, 1, 0], angle: Math.PI / 2 },
  }));
  const joints = bodies.map((b, i) => ({ name: `joint ${i}`, type: "spherical", between: [i === 0 ? "ground" : bodies[i - 1].name, b.name], at: [i * length, 0, 0] }));
  const file = write(`${name}.json`, JSON.stringify({ polhode: 1, name, gravity: [0, 0, -9.81], bodies, joints, simulation: { step: 0.005, end_time: end } }));
  polhode("run", file, "-q", "-o", `${name}.h5`);
  return report(`${name}.html`, `${folder}/${name}.h5`);
}

test("a hundred bodies move, with few draw calls, coarsely while they move and finely when they rest", async ({ page }) => {
  await open(page, chain(100, 2), "");
  await page.evaluate(() => {
    const app = (window as any).polhode;
    app.player.loop = true;
    if (!app.player.playing) document.getElementById("play")!.click();
  });
  const drawn = (count: number) => page.waitForFunction((n) => (window as any).polhode.frames >= n, count);
  await drawn(await ask<number>(page, "app.frames") + 5);
  await page.evaluate(() => (window as any).polhode.forgetIntervals());
  await drawn(await ask<number>(page, "app.frames") + 20);
  const interval = await ask<number>(page, "app.frameInterval()");
  console.log(`100 bodies: a frame every ${interval.toFixed(1)} ms`);
  expect(interval).toBeGreaterThan(0);
  const cost = await ask<{ calls: number; triangles: number }>(page, "app.stage.cost");
  expect(cost.calls).toBeLessThanOrEqual(6); // rods, their shadow, joints, their shadow, the trail
  expect(cost.triangles).toBeLessThan(8000); // 100 rods of 8 and their shadows, and the trail
  const width = await ask<number>(page, 'document.getElementById("view").clientWidth');
  expect(await ask<number>(page, 'document.getElementById("view").width')).toBeLessThanOrEqual(width);
  await page.locator("#play").click();
  await page.waitForFunction(() => (window as any).polhode.stage.fine);
  expect(await ask<number>(page, 'document.getElementById("view").width')).toBe(2 * width);
  const frames = await ask<number>(page, "app.stage.pictures");
  await page.waitForTimeout(400);
  expect(await ask<number>(page, "app.stage.pictures")).toBe(frames); // nothing changes, nothing is drawn
});

test("of a chain of a thousand every link is seen, though it is a tenth of a pixel thick", async ({ page }) => {
  await open(page, chain(1000, 0.05), "play=0&hide=trails,floor");
  await page.waitForFunction(() => (window as any).polhode.stage.fine);
  const { seen, asked, thickness } = await page.evaluate(() => {
    const { stage } = (window as any).polhode, view = document.getElementById("view") as HTMLCanvasElement;
    stage.set({});
    stage.draw();
    const canvas = new OffscreenCanvas(view.width, view.height), c = canvas.getContext("2d")!, ratio = view.width / view.clientWidth;
    c.drawImage(view, 0, 0);
    const { data } = c.getImageData(0, 0, view.width, view.height);
    const alpha = (x: number, y: number) => data[4 * (Math.round(y) * view.width + Math.round(x)) + 3] ?? 0;
    let seen = 0, asked = 0, thickness = 0;
    for (let body = 0; body < 1000; body += 7, ++asked) {
      const [x, y] = stage.project(0, body, [0, 0, 0]).map((p: number) => p * ratio - 0.5);
      if (alpha(x, y) > 128) ++seen;
      for (let d = -8; d <= 8; ++d) if (alpha(x, y + d) > 128) thickness += 1 / ratio;
    }
    return { seen, asked, thickness: thickness / asked };
  });
  expect(seen).toBe(asked);
  expect(thickness).toBeGreaterThan(2.5); // CSS pixels
  expect(thickness).toBeLessThan(8);
});

test("from every side the whole motion is in view, clear of the buttons", async ({ page }) => {
  await open(page, report("bricard.html", run("bricard", "bricard.h5")));
  const outside = await page.evaluate(() => {
    const { stage, runs } = (window as any).polhode, view = document.getElementById("view")!, found: string[] = [];
    for (const preset of ["fit", "front", "back", "left", "right", "top", "bottom"]) {
      stage.look(preset);
      stage.camera.updateMatrixWorld();
      for (let k = 0; k <= 50; ++k) {
        stage.mechanisms[0].take((runs[0].endTime * k) / 50); // hundreds of pictures would keep the next test waiting
        runs[0].head.bodies.forEach((body: { name: string; centre_of_mass: number[] }, b: number) => {
          const [x, y] = stage.project(0, b, body.centre_of_mass);
          if (!(x > 20 && x < view.clientWidth - 20 && y > 50 && y < view.clientHeight - 30)) found.push(`${preset} ${body.name} ${x} ${y}`);
        });
      }
    }
    return found;
  });
  expect(outside).toEqual([]);
});
