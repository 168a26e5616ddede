// The package of data that polhode hands to the page: a header in JSON, then arrays of numbers in binary.
// polhode/view/package.cpp writes it, docs/report.md describes it.

/// Where an array lies behind the header: its type, its offset in bytes, how many numbers.
export interface ArrayRef { type: "f32" | "f64" | "u32"; offset: number; count: number }

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w, x, y, z

export interface ShapeHeader {
  type: "box" | "cylinder" | "sphere" | "cone" | "capsule" | "ellipsoid" | "mesh";
  at: Vec3; frame: Quat;
  size?: Vec3; radius?: number; length?: number;
  vertices?: number[]; faces?: number[];
  color?: string;
  link?: boolean; // a thin bar that says where the body reaches, not what it looks like
}

export interface BodyHeader {
  name: string; type: string; mass: number;
  centre_of_mass: Vec3;
  inertia: Vec3; inertia_frame: Quat; // principal values about the centre of mass, and from their axes to the body frame
  shapes: ShapeHeader[];
}

/// a, b: indices of bodies, -1 for the ground. Points and triads are in the frames of the bodies. look: which symbol (geometry.ts).
export interface JointHeader {
  name: string; type: string; look: string; a: number; b: number;
  point_a: Vec3; point_b: Vec3; triad_a: Quat; triad_b: Quat;
}

export interface SpringHeader { name: string; type: string; a: number; b: number; point_a: Vec3; point_b: Vec3; length: number }

export interface ChannelHeader { name: string; values: ArrayRef; min: number; max: number }

/// Curves over one set of times. Where samples were left out, the extremes of every channel are still among the rest.
export interface GroupHeader {
  id: string; title: string; per: "run" | "body" | "joint"; item: number; unit: string; log: boolean;
  time: ArrayRef; channels: ChannelHeader[];
}

export interface RunHeader {
  label: string; file: string; model_name: string; version: string;
  model: Record<string, unknown>; options: Record<string, unknown>; certificate: Record<string, unknown> | null;
  status: string; complete: boolean; samples: number; planned: number;
  gravity: Vec3; extent: { min: Vec3; max: Vec3 }; size: number;
  bodies: BodyHeader[]; joints: JointHeader[]; springs: SpringHeader[];
  frames: {
    count: number; time: ArrayRef; position: ArrayRef; quaternion: ArrayRef; velocity: ArrayRef;
    angular_velocity: ArrayRef; reaction: ArrayRef;
  };
  groups: GroupHeader[];
}

export interface DifferenceHeader {
  run: number; against: number; samples: number;
  max_position: number; max_angle: number; end_position: number; end_angle: number;
  time: ArrayRef; position: ArrayRef; angle: ArrayRef;
}

export interface Header {
  format: string; version: number; polhode: string; title: string;
  runs: RunHeader[]; differences: DifferenceHeader[];
}

export class Package {
  constructor(readonly header: Header, private readonly data: ArrayBuffer, private readonly start: number) {}

  f32(ref: ArrayRef): Float32Array { return new Float32Array(this.data, this.start + ref.offset, ref.count); }
  f64(ref: ArrayRef): Float64Array { return new Float64Array(this.data, this.start + ref.offset, ref.count); }
}

/// Bytes: "PLHV", version, length of the header, 0 (three times 32 bits, little endian), header, padding to 8, arrays.
export function readPackage(bytes: ArrayBuffer): Package {
  const view = new DataView(bytes);
  if (bytes.byteLength < 16 || view.getUint32(0, false) !== 0x504c4856) throw new Error("these data are not of polhode");
  const version = view.getUint32(4, true);
  if (version !== 1) throw new Error(`data of version ${version}; this page reads version 1`);
  const length = view.getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 16, length))) as Header;
  return new Package(header, bytes, (16 + length + 7) & ~7);
}

async function inflate(compressed: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const own = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }; // browsers since 2025: ten times as quick
  if (own.fromBase64) return own.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/// The data that polhode wrote into this file, or null: then a server has them.
export async function inlinePackage(): Promise<Package | null> {
  const element = document.getElementById("polhode-data");
  const text = element?.textContent?.trim();
  if (!text) return null;
  const bytes = fromBase64(text);
  element!.textContent = "";
  return readPackage(await inflate(bytes));
}

export interface ServerStatus { samples: number; planned: number; complete: boolean; running: boolean; status: string }

async function get(path: string): Promise<Response> {
  const response = await fetch(path, { cache: "no-store" });
  if (!response.ok) throw new Error(`the server answered ${response.status} to ${path}`);
  return response;
}

export async function serverStatus(): Promise<ServerStatus[]> {
  return (await get("status")).json() as Promise<ServerStatus[]>;
}

export async function serverPackage(): Promise<Package> {
  return readPackage(await (await get("data")).arrayBuffer());
}
