// One HTML file with everything in it: polhode puts the data behind it, and it opens from disk.
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: "es2022", assetsInlineLimit: Number.MAX_SAFE_INTEGER, chunkSizeWarningLimit: 2000, reportCompressedSize: false },
});
