// What the tests share: runs of the command, its results as tables, and a page that notes all that goes wrong.
import { expect, test as base, type Page } from "@playwright/test";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, "../..");
export const command = resolve(root, process.env.POLHODE_BUILD ?? "build/release", "polhode");
export const folder = mkdtempSync(join(tmpdir(), "polhode-web-"));

export function polhode(...words: string[]): string {
  return execFileSync(command, words, { cwd: folder, encoding: "utf8" });
}

export const model = (name: string) => join(root, "models", `${name}.json`);

/// A run of a model of the tree; returns the result file.
export function run(name: string, result: string, ...words: string[]): string {
  polhode("run", model(name), "-q", "-o", result, ...words);
  return join(folder, result);
}

export function report(file: string, ...words: string[]): string {
  polhode("report", ...words, "-q", "-o", file);
  return join(folder, file);
}

/// A result as columns, by the names of `polhode export --to csv`.
export function columns(result: string): Map<string, number[]> {
  const table = join(folder, "columns.csv");
  polhode("export", result, "--to", "csv", "-o", table, "-q");
  const [head, ...rows] = readFileSync(table, "utf8").trim().split("\n").map((line) => line.split(","));
  return new Map(head.map((name, k) => [name, rows.map((row) => Number(row[k]))]));
}

export function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/// Starts the command and waits for the address that it prints.
export async function serve(...words: string[]): Promise<{ process: ChildProcess; address: string }> {
  const child = spawn(command, words, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  const address = await new Promise<string>((found, failed) => {
    child.stdout!.on("data", (part: Buffer) => {
      text += part.toString();
      const match = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//.exec(text);
      if (match) found(match[0]);
    });
    child.on("exit", (code) => failed(new Error(`polhode ${words.join(" ")} ended with ${code}: ${text}`)));
  });
  return { process: child, address };
}

export interface Noted { errors: string[]; outside: string[] }

/// A page whose console must stay silent and which may ask nobody but the server it came from.
export const test = base.extend<{ noted: Noted }>({
  noted: [async ({ page }, use) => {
    const noted: Noted = { errors: [], outside: [] };
    page.on("console", (message) => { if (["error", "warning"].includes(message.type())) noted.errors.push(message.text()); });
    page.on("pageerror", (error) => noted.errors.push(error.message));
    page.on("request", (request) => {
      if (!/^(file:|data:|blob:|http:\/\/127\.0\.0\.1:)/.test(request.url())) noted.outside.push(request.url());
    });
    await use(noted);
    expect(noted.errors.filter((text) => !/GPU stall|GL Driver Message|ReadPixels/.test(text))).toEqual([]);
    expect(noted.outside).toEqual([]);
  }, { auto: true }],
});

/// Opens a report or a server, at rest unless told otherwise, and waits until it has drawn.
export async function open(page: Page, where: string, settings = "play=0"): Promise<void> {
  await page.goto(`${where.startsWith("http") ? where : `file://${where}`}#${settings}`);
  await page.waitForFunction(() => (window as any).polhode?.frames > 1);
}

/// Evaluates an expression of the page's application.
export function ask<T>(page: Page, expression: string): Promise<T> {
  return page.evaluate(`(() => { const app = window.polhode; return ${expression}; })()`) as Promise<T>;
}

export { expect };
