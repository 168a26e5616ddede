// The certificate, the model, the options and the differences of several runs, as tables with units.
import { number, quantity, vector } from "./format";
import type { Header, RunHeader } from "./package";

type Json = Record<string, unknown>;
type Cell = string | HTMLElement;

function element<K extends keyof HTMLElementTagNameMap>(tag: K, text = "", className = ""): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (text) e.textContent = text;
  if (className) e.className = className;
  return e;
}

function table(head: string[], rows: Cell[][], caption: string): HTMLElement {
  const holder = element("div", "", "table"), t = element("table"), body = element("tbody");
  t.append(element("caption", caption));
  if (head.length > 0) {
    const row = element("tr");
    for (const text of head) {
      const cell = element("th", text);
      cell.scope = "col";
      row.append(cell);
    }
    const thead = element("thead");
    thead.append(row);
    t.append(thead);
  }
  for (const cells of rows) {
    const row = element("tr");
    cells.forEach((cell, i) => {
      const e = element(i === 0 ? "th" : "td");
      if (i === 0) (e as HTMLTableCellElement).scope = "row";
      e.append(cell);
      row.append(e);
    });
    body.append(row);
  }
  t.append(body);
  holder.append(t);
  return holder;
}

function at(json: Json | null, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as Json | null | undefined)?.[key], json);
}

interface Figure { path: string; name: string; unit: string; meaning: string }

/// docs/certificate.md, in its order.
const CERTIFICATE: Figure[] = [
  { path: "status", name: "Status", unit: "", meaning: "" },
  { path: "integrator", name: "Integrator", unit: "", meaning: "" },
  { path: "step", name: "Step", unit: "s", meaning: "" },
  { path: "time", name: "Time reached", unit: "s", meaning: "" },
  { path: "steps", name: "Steps", unit: "1", meaning: "" },
  { path: "seconds", name: "Computing time", unit: "s", meaning: "" },
  { path: "newton.iterations", name: "Newton iterations", unit: "1", meaning: "of all steps" },
  { path: "resolution.turn", name: "Turn in a step", unit: "rad", meaning: "the largest of a body" },
  { path: "resolution.steps_per_period", name: "Steps a period", unit: "1", meaning: "of the stiffest oscillation" },
  { path: "resolution.across_joints", name: "Energy across joints", unit: "1", meaning: "share of the kinetic energy in velocities that the joints forbid" },
  { path: "newton.halved_steps", name: "Halved steps", unit: "1", meaning: "steps that did not converge and were taken in parts" },
  { path: "energy.initial", name: "Energy at the start", unit: "J", meaning: "" },
  { path: "energy.final", name: "Energy at the end", unit: "J", meaning: "" },
  { path: "energy.max_relative_error", name: "Energy error", unit: "1", meaning: "relative, the largest of all steps" },
  { path: "energy.balance_error", name: "Energy balance", unit: "1", meaning: "relative, of energy less all work" },
  { path: "energy.algorithmic_dissipation", name: "Lost to the integrator", unit: "J", meaning: "negative: gained" },
  { path: "work.drives", name: "Work of drives", unit: "J", meaning: "" },
  { path: "work.loads", name: "Work of loads", unit: "J", meaning: "" },
  { path: "work.dampers", name: "Taken by dampers", unit: "J", meaning: "" },
  { path: "momentum.linear_error", name: "Linear momentum", unit: "1", meaning: "relative error of the components that the model conserves" },
  { path: "momentum.angular_error", name: "Angular momentum", unit: "1", meaning: "relative error of the components that the model conserves" },
  { path: "constraints.position", name: "Joint equations", unit: "m, rad", meaning: "largest residual" },
  { path: "constraints.velocity", name: "Their rates", unit: "m/s, rad/s", meaning: "largest residual" },
  { path: "constraints.freedoms", name: "Degrees of freedom", unit: "1", meaning: "" },
  { path: "constraints.equations", name: "Equations", unit: "1", meaning: "" },
  { path: "constraints.redundant", name: "Redundant equations", unit: "1", meaning: "" },
  { path: "trajectory_error.position", name: "Error of the trajectory", unit: "m", meaning: "at the end, from a run with half the step" },
  { path: "trajectory_error.angle", name: "Error of the orientation", unit: "rad", meaning: "at the end, from a run with half the step" },
];

function show(value: unknown, unit: string): string {
  if (value === undefined || value === null) return "–";
  if (typeof value === "number") return quantity(value, unit);
  if (typeof value === "object") return Object.entries(value).map(([name, x]) => `${name} ${show(x, unit)}`).join(", ") || "–";
  return String(value);
}

/// What stands in the place of the error of a momentum of which no component is conserved, or none is known to be.
function unconserved(run: RunHeader, path: string): string | null {
  const components = path === "momentum.linear_error" ? at(run.certificate, "momentum.linear_components")
    : path === "momentum.angular_error" ? at(run.certificate, "momentum.angular_components") : 1;
  return components === 0 ? "not conserved by this model" : components === null ? "unknown" : null;
}

/// How a run ended, as a badge, and each of its warnings.
function verdicts(runs: RunHeader[]): HTMLElement[] {
  return runs.map((run) => {
    const line = element("p", "", "verdict"), reason = String(at(run.certificate, "reason") ?? "");
    line.append(element("span", run.status, `badge ${run.status.split(" ").join("-")}`),
      ` ${runs.length > 1 ? `${run.label} ` : ""}${reason}`);
    for (const warning of (at(run.certificate, "warnings") ?? []) as string[]) line.append(element("span", warning, "warning"));
    return line;
  });
}

export function certificateTables(header: Header): HTMLElement[] {
  const { runs } = header, several = runs.length > 1;
  const out: HTMLElement[] = verdicts(runs);
  if (several) out.push(...differenceTables(header));
  const figures = CERTIFICATE.filter((f) => runs.some((run) => at(run.certificate, f.path) !== undefined));
  const rows = figures.map((f): Cell[] => [
    f.name,
    ...runs.map((run) => unconserved(run, f.path) ?? show(at(run.certificate, f.path), f.unit)),
    ...(several ? [] : [f.meaning]),
  ]);
  if (figures.length > 0)
    out.push(table(several ? ["", ...runs.map((r) => r.label)] : [], rows, "Certificate: what the run kept and what it lost"));
  else
    out.push(element("p", runs.map((r) => `${r.label}: ${r.status}; the certificate comes with the end of the run.`).join(" "), "note"));
  for (const run of runs) out.push(...reactionTable(run, several));
  return out;
}

function reactionTable(run: RunHeader, several: boolean): HTMLElement[] {
  const reactions = Object.entries((at(run.certificate, "reactions") ?? {}) as Record<string, Json>);
  if (reactions.length === 0 || reactions.length > 300) return [];
  const rows = reactions.map(([name, r]): Cell[] => [
    name, quantity(r.max_force as number, "N"), quantity(r.max_moment as number, "N m"), r.unique === false ? "not unique" : ""]);
  return [table(["Joint", "Force", "Torque", ""], rows, several ? `Largest reactions, ${run.label}` : "Largest reactions")];
}

function differenceTables({ runs, differences }: Header): HTMLElement[] {
  const rows = differences.map((d): Cell[] => [
    runs[d.run].label, d.samples === 0 ? "no common times" : quantity(d.max_position, "m"), quantity(d.max_angle, "rad"),
    quantity(d.end_position, "m"), quantity(d.end_angle, "rad"), number(d.samples)]);
  if (rows.length === 0) return [];
  return [table(["", "largest distance", "largest angle", "distance at the end", "angle at the end", "common times"], rows,
    `Differences from ${runs[0].label}: of the worst body`)];
}

export function modelTables(run: RunHeader): HTMLElement[] {
  const out: HTMLElement[] = [], { model } = run;
  const about = [["Name", model.name], ["Description", model.description], ["Source", model.source]]
    .filter(([, text]) => text).map(([name, text]) => [String(name), String(text)]);
  about.push(["Gravity", `${vector(run.gravity)} m/s²`], ["Bodies", String(run.bodies.length)], ["Joints and drives", String(run.joints.length)]);
  out.push(table([], about, "Model"));
  const most = 60, name = (i: number) => (i < 0 ? "ground" : run.bodies[i].name);
  out.push(table(["Body", "Type", "Mass", "Principal inertia"], run.bodies.slice(0, most).map((b) => [
    b.name, b.type, quantity(b.mass, "kg"), b.type === "rigid" || b.type === "fixed-point" ? `${vector(b.inertia)} kg m²` : "–"]),
    run.bodies.length > most ? `Bodies, the first ${most} of ${run.bodies.length}` : "Bodies"));
  if (run.joints.length > 0)
    out.push(table(["Joint", "Type", "Between"], run.joints.slice(0, most).map((j) => [j.name, j.type, `${name(j.a)}, ${name(j.b)}`]),
      run.joints.length > most ? `Joints, the first ${most} of ${run.joints.length}` : "Joints"));
  const forces = (model.forces ?? []) as Json[];
  if (forces.length > 0)
    out.push(table(["Force", "Type", "Data"], forces.slice(0, most).map((f, i) => [
      String(f.name ?? `forces[${i}]`), String(f.type),
      Object.entries(f).filter(([key]) => key !== "name" && key !== "type").map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ")]), "Forces"));
  const details = element("details"), text = element("pre", JSON.stringify(model, null, 2).slice(0, 400000));
  details.append(element("summary", "The model as JSON"), text);
  out.push(details);
  return out;
}

const OPTION_UNITS: Record<string, string> = { step: "s", end_time: "s" };

function flatten(json: Json, prefix = ""): [string, unknown][] {
  return Object.entries(json).flatMap(([key, value]): [string, unknown][] =>
    value !== null && typeof value === "object" && !Array.isArray(value) ? flatten(value as Json, `${prefix}${key}.`) : [[prefix + key, value]]);
}

export function optionTables(header: Header): HTMLElement[] {
  const { runs } = header;
  const names = [...new Set(runs.flatMap((run) => flatten(run.options).map(([name]) => name)))];
  const rows = names.map((name): Cell[] => [name, ...runs.map((run) => show(at(run.options, name), OPTION_UNITS[name] ?? "1"))]);
  const files = runs.map((run): Cell[] => [
    run.label, run.file, `${number(run.samples, 7)} of ${number(run.planned, 7)}`, number(run.frames.count, 7), run.status, run.version]);
  return [
    table(runs.length > 1 ? ["", ...runs.map((r) => r.label)] : [], rows, "Options of the simulation"),
    table(["Run", "Result file", "Samples", "Shown in 3D", "Status", "polhode"], files, "Files"),
  ];
}
