// Browser tests with the system's Chromium, drawing by software as it does on a machine without a graphics card: what continuous
// integration has. (With --use-angle=swiftshader the whole page, not only the mechanism, would be drawn by an emulated graphics card.)
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  timeout: 120_000,
  expect: { timeout: 20_000 },
  fullyParallel: false,
  workers: 1,
  reporter: [["list"]],
  outputDir: process.env.POLHODE_TEST_OUTPUT ?? "../build/web-tests",
  use: {
    viewport: { width: 1280, height: 720 },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
    },
  },
});
