// Exports to glTF: valid by the Khronos validator, and with the recorded motion in it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import validator from "gltf-validator";
import { columns, expect, folder, polhode, run, test } from "./polhode";

for (const name of ["heavy_top", "bricard", "flyball_governor", "double_pendulum"]) {
  test(`the glTF of ${name} is valid and holds the recorded motion`, async () => {
    const result = run(name, `${name}.h5`, "--end-time", "1");
    polhode("export", result, "--to", "gltf", "-q");
    const bytes = new Uint8Array(readFileSync(join(folder, `${name}.glb`)));
    const report = await validator.validateBytes(bytes);
    expect(report.issues.messages.filter((m: { severity: number }) => m.severity <= 1)).toEqual([]);

    const view = new DataView(bytes.buffer, bytes.byteOffset), length = view.getUint32(12, true);
    const gltf = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
    const table = columns(result), time = table.get("time")!;
    const body = gltf.nodes.findIndex((n: { name?: string }) => table.has(`${n.name}.position.x`));
    const [channel] = gltf.animations[0].channels.filter((c: any) => c.target.node === body && c.target.path === "translation");
    const accessor = gltf.accessors[gltf.animations[0].samplers[channel.sampler].output];
    expect(accessor.count).toBe(time.length);
    const start = 20 + length + 8 + gltf.bufferViews[accessor.bufferView].byteOffset;
    for (const k of [0, 17, time.length - 1])
      ["x", "y", "z"].forEach((c, i) =>
        expect(view.getFloat32(start + 12 * k + 4 * i, true)).toBeCloseTo(table.get(`${gltf.nodes[body].name}.position.${c}`)![k], 5));
  });
}
