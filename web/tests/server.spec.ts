// The viewer's server: the same page, live; and nothing but the result, whatever is asked.
import type { ChildProcess } from "node:child_process";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { ask, columns, expect, folder, open, run, serve, test, write } from "./polhode";

let server: { process: ChildProcess; address: string }, port: number, base: string, result: string;

test.beforeAll(async () => {
  result = run("heavy_top", "served.h5", "--output-step", "0.01");
  server = await serve("view", result, "--no-browser");
  port = Number(new URL(server.address).port);
  base = new URL(server.address).pathname.slice(0, -1);
});
test.afterAll(() => { server.process.kill("SIGTERM"); });

/// Sends bytes and returns all that comes back until the server closes.
function send(bytes: string | Buffer, host = "127.0.0.1"): Promise<string> {
  return new Promise((done) => {
    let text = "";
    const socket = connect(port, host, () => { socket.write(bytes); });
    socket.setTimeout(15000, () => socket.destroy());
    socket.on("data", (part) => { if (text.length < 4000) text += part.toString("latin1"); });
    socket.on("error", () => done(text));
    socket.on("close", () => done(text));
  });
}

const get = (target: string, host = `127.0.0.1:${port}`, method = "GET") => send(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
const status = (answer: string) => Number(answer.split(" ")[1] ?? 0);

test("it serves the page, which shows what was recorded", async ({ page }) => {
  await open(page, server.address);
  await page.locator("#scrub").fill("100");
  const x = columns(result).get("top.position.x")![100];
  expect(await ask<number>(page, "(app.stage.draw(), app.runs[0].x[0])")).toBeCloseTo(x, 6);
  await expect(page.locator("#live")).toBeHidden();
});

test("it answers on this machine's own address only", async () => {
  expect(status(await get(`${base}/status`))).toBe(200);
  const others = Object.values(networkInterfaces()).flat().filter((i) => i && i.family === "IPv4" && !i.internal).map((i) => i!.address);
  for (const address of others) {
    const answer = await new Promise<string>((done) => {
      const socket = connect(port, address, () => done("connected"));
      socket.on("error", (error: NodeJS.ErrnoException) => done(error.code ?? "failed"));
    });
    expect(answer).toBe("ECONNREFUSED");
  }
});

test("it answers only to its own name, so that no page of elsewhere can read it", async () => {
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", "", `localhost.evil.example:${port}`]) expect(status(await get(`${base}/data`, host))).toBe(421);
  expect(status(await get(`${base}/data`, `localhost:${port}`))).toBe(200);
});

test("paths lead nowhere", async () => {
  for (const target of ["/../etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd", "/served.h5", "/data/../../etc/passwd", "/%00", "/.git/config", "/data%00.html",
    "/data?file=/etc/passwd", "http://127.0.0.1/etc/passwd", "/\\..\\..\\etc\\passwd", "/status/"]) {
    for (const answer of [await get(target), await get(base + target)]) {
      expect(status(answer), target).toBeGreaterThanOrEqual(400);
      expect(answer).not.toContain("root:");
    }
  }
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "BREW"]) expect(status(await get(`${base}/`, `127.0.0.1:${port}`, method)), method).toBeGreaterThanOrEqual(400);
});

test("it survives ten thousand malformed requests", async () => {
  let seed = 12345;
  const random = (n: number) => (seed = (1103515245 * seed + 12345) & 0x7fffffff) % n;
  const whole = `GET ${base}/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: */*\r\n\r\n`;
  const broken = (k: number): Buffer => {
    const bytes = Buffer.from(whole);
    switch (k % 8) {
      case 0: return Buffer.from(Array.from({ length: 1 + random(300) }, () => random(256)));
      case 1: for (let i = 0; i < 5; ++i) bytes[random(bytes.length)] = random(256); return Buffer.concat([bytes, Buffer.from("\r\n\r\n")]);
      case 2: return Buffer.from(`GET /${"a".repeat(random(20000))} HTTP/1.1\r\n\r\n`);
      case 3: return Buffer.from(`GET / HTTP/1.1\r\n${"X-Y: z\r\n".repeat(random(3000))}\r\n`);
      case 4: return Buffer.from(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${random(2) ? -1 : 99999999999999}\r\n\r\nx`);
      case 5: return Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${random(1e9).toString(16)}\r\nx`);
      case 6: return Buffer.from(`GET / HTTP/${random(99)}.${random(99)}\r\n\r\n`);
      default: return Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]), Buffer.alloc(random(600), random(256)), Buffer.from("\r\n\r\n")]);
    }
  };
  const one = (bytes: Buffer) => new Promise<void>((done) => {
    const socket: Socket = connect(port, "127.0.0.1", () => { socket.end(bytes); });
    socket.on("data", () => {});
    socket.on("error", () => done());
    socket.on("close", () => done());
  });
  for (let k = 0; k < 10000; k += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => one(broken(k + i))));
  expect(server.process.exitCode).toBeNull();
  expect(status(await get(`${base}/status`))).toBe(200);
});

test("slow clients hold nobody up, and are cut off", async () => {
  const slow = Array.from({ length: 200 }, () => connect(port, "127.0.0.1"));
  const closed = slow.map((socket) => new Promise<void>((done) => { socket.on("error", () => {}); socket.on("close", () => done()); socket.on("data", () => {}); }));
  await Promise.all(slow.map((socket) => new Promise<void>((done) => { socket.on("connect", () => done()); socket.on("error", () => done()); })));
  const drip = setInterval(() => { for (const socket of slow) if (!socket.destroyed) socket.write("G"); }, 500);
  const began = Date.now();
  expect(status(await get(`${base}/status`))).toBe(200);
  expect(Date.now() - began).toBeLessThan(3000);
  await Promise.all(closed); // though they keep sending
  clearInterval(drip);
  expect(Date.now() - began).toBeLessThan(15000);
  expect(status(await get(`${base}/status`))).toBe(200);
});

test("it follows a run that goes on", async ({ page }) => {
  const file = write("slow.json", JSON.stringify({
    polhode: 1, name: "pendulum", gravity: [0, 0, -9.81], bodies: [{ name: "bob", type: "particle", mass: 1, position: [1, 0, 0] }],
    joints: [{ name: "string", type: "rod", between: ["ground", "bob"] }], simulation: { step: 1e-5, end_time: 400, output_step: 0.1 },
  }));
  const live = await serve("run", file, "--view", "-q", "-o", `${folder}/slow.h5`);
  try {
    await open(page, live.address, "");
    await expect(page.locator("#live")).toBeVisible();
    const before = await ask<number>(page, "app.runs[0].endTime");
    await page.waitForFunction((t) => (window as any).polhode.runs[0].endTime > t + 0.5, before);
    expect(await ask<number>(page, "app.player.time - app.player.end")).toBe(0); // shown at its newest frame
    await page.locator("#scrub").fill("1");
    const held = await ask<number>(page, "app.player.time");
    const later = await ask<number>(page, "app.runs[0].endTime");
    await page.waitForFunction((t) => (window as any).polhode.runs[0].endTime > t, later);
    expect(await ask<number>(page, "app.player.time")).toBe(held); // until somebody takes hold of the time
  } finally {
    live.process.kill("SIGINT");
    await page.close();
  }
});
