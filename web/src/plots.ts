// The page of plots: which there are, what they show, and the choices of body, joint and quantity.
import { frameCurves, itemGroup, QUANTITIES, quantityOf } from "./curves";
import { unitText } from "./format";
import type { Package } from "./package";
import { Phase } from "./phase";
import { Plot, PlotHost } from "./plot";
import type { Group, Run } from "./run";
import type { Theme } from "./theme";

/// Of a run as a whole, in the order of the page; `main` is what is compared where there are several runs.
const WHOLE: { id: string; title: string; main?: string }[] = [
  { id: "energy", title: "Energy", main: "total" },
  { id: "energy_error", title: "Energy error, relative", main: "balance" },
  { id: "linear_momentum", title: "Linear momentum" },
  { id: "angular_momentum", title: "Angular momentum" },
  { id: "residuals", title: "Residuals of the joints" },
  { id: "newton", title: "Newton iterations between samples" },
];

function select(label: string, options: [string, string][]): HTMLSelectElement {
  const element = document.createElement("select");
  element.setAttribute("aria-label", label);
  for (const [value, text] of options) element.append(new Option(text, value));
  return element;
}

export class Plots {
  readonly element = document.createElement("div");
  readonly plots: Plot[] = [];
  private runs: Run[] = [];
  private readonly phase = new Phase();
  private whole: { plot: Plot; spec: (typeof WHOLE)[number] }[] = [];
  private difference: Plot | null = null;
  private coordinate: Plot | null = null;
  private reaction: Plot | null = null;
  private body = select("Body", []);
  private quantity = select("Quantity", QUANTITIES.filter((q) => q.per === "body").map((q) => [q.id, q.title]));
  private joint = select("Joint", []);
  private load = select("Force or torque", [["force", "force"], ["torque", "torque"]]);
  private phaseX = select("Horizontal axis", []);
  private phaseY = select("Vertical axis", []);
  private time = 0;
  private lastNumbers = 0;
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly host: PlotHost, private readonly onBody: (body: number) => void) {
    this.element.className = "page";
    new ResizeObserver(() => this.resize()).observe(this.element);
    for (const [element, update] of [[this.quantity, () => this.showCoordinate()], [this.joint, () => this.showReaction()],
      [this.load, () => this.showReaction()], [this.phaseX, () => this.showPhase()], [this.phaseY, () => this.showPhase()]] as const)
      element.addEventListener("change", update);
    this.body.addEventListener("change", () => { this.onBody(Number(this.body.value)); this.showBody(); });
  }

  get theme(): Theme { return this.host.theme; }

  setRuns(runs: Run[], data: Package): void {
    const fresh = this.runs.length === 0;
    this.runs = runs;
    if (fresh) this.build(data);
    for (const { plot, spec } of this.whole) plot.setGroups(runs.map((run) => run.group(spec.id)!), spec.title, spec.main);
    this.difference?.setGroups(this.differences(data), `Distance from ${data.header.runs[0].label}, worst body`, undefined,
      data.header.differences.filter((d) => d.samples > 0).map((d) => d.run));
    this.showBody();
    this.showReaction();
  }

  private build(data: Package): void {
    const { head } = this.runs[0];
    head.bodies.forEach((body, i) => this.body.append(new Option(body.name, String(i))));
    head.joints.forEach((joint, i) => this.joint.append(new Option(joint.name, String(i))));
    const axes = QUANTITIES.filter((q) => q.per === "body").flatMap((q) => q.names.map((name): [string, string] => [`${q.id} ${name}`, `${q.title.split(",")[0]} ${name}`]));
    for (const [value, text] of axes) {
      this.phaseX.append(new Option(text, value));
      this.phaseY.append(new Option(text, value));
    }
    const moves = frameCurves(this.runs[0], "position", 0).map((c) => c.max - c.min);
    const axis = ["x", "y", "z"][moves.indexOf(Math.max(...moves))];
    this.phaseX.value = `position ${axis}`;
    this.phaseY.value = `velocity ${axis}`;

    this.whole = WHOLE.filter((spec) => this.runs.every((run) => run.group(spec.id)))
      .map((spec) => ({ spec, plot: new Plot(spec.id, this.host) }));
    this.coordinate = new Plot("coordinate", this.host, [this.body, this.quantity]);
    if (head.joints.length > 0) this.reaction = new Plot("reaction", this.host, [this.joint, this.load]);
    if (data.header.differences.some((d) => d.samples > 0)) this.difference = new Plot("difference", this.host);
    const phase = document.createElement("section"), top = document.createElement("div"), title = document.createElement("h3"), controls = document.createElement("div");
    phase.className = "card";
    top.className = "card-head";
    controls.className = "controls";
    title.textContent = "Phase diagram";
    controls.append(this.phaseX, this.phaseY);
    top.append(title, controls);
    phase.append(top, this.phase.element);

    const order = this.whole.map(({ plot }) => plot);
    if (this.difference) order.unshift(this.difference);
    order.splice(Math.min(2 + (this.difference ? 1 : 0), order.length), 0, this.coordinate, ...(this.reaction ? [this.reaction] : []));
    this.plots.push(...order);
    this.element.append(...order.map((plot) => plot.element), phase);
  }

  private differences(data: Package): Group[] {
    return data.header.differences.filter((d) => d.samples > 0).map((d) => ({
      id: "difference", title: data.header.runs[d.run].label, per: "run", item: 0, unit: "m and rad", log: true, time: data.f64(d.time),
      curves: [{ name: "distance", values: data.f32(d.position), min: 0, max: d.max_position },
        { name: "angle", values: data.f32(d.angle), min: 0, max: d.max_angle }],
    }));
  }

  /// Shows the numbers of a body everywhere.
  chooseBody(body: number): void {
    if (body < 0 || this.body.value === String(body)) return;
    this.body.value = String(body);
    this.showBody();
  }

  private showBody(): void {
    this.showCoordinate();
    this.showPhase();
  }

  private showCoordinate(): void {
    const { id, title } = quantityOf(this.quantity.value), body = Number(this.body.value);
    this.coordinate?.setGroups(this.with(body, "body").map((run) => itemGroup(run, id, body)), `${this.runs[0].head.bodies[body].name}: ${title.split(",")[0]}`);
    this.setTime(this.time, true);
  }

  private showReaction(): void {
    const joint = Number(this.joint.value), { head } = this.runs[0];
    if (!this.reaction || !head.joints[joint]) return;
    const groups = this.with(joint, "joint").map((run) => itemGroup(run, this.load.value, joint));
    this.reaction.setGroups(groups, `${head.joints[joint].name}: reaction ${this.load.value}`, "size");
    this.setTime(this.time, true);
  }

  /// The runs that have this body or joint.
  private with(item: number, per: "body" | "joint"): Run[] {
    return this.runs.filter((run) => item < (per === "body" ? run.bodyCount : run.jointCount));
  }

  private showPhase(): void {
    const body = Number(this.body.value);
    const curve = (run: Run, choice: string) => {
      const [id, name] = choice.split(" ");
      return frameCurves(run, id, body).find((c) => c.name === name)!;
    };
    const label = (element: HTMLSelectElement) => {
      const unit = unitText(quantityOf(element.value.split(" ")[0]).unit);
      return `${element.selectedOptions[0].text}${unit ? ` [${unit}]` : ""}`;
    };
    this.phase.set(this.with(body, "body").map((run) => ({ run, x: curve(run, this.phaseX.value), y: curve(run, this.phaseY.value) })),
      [label(this.phaseX), label(this.phaseY)], this.theme);
    this.phase.setTime(this.time);
  }

  setTime(t: number, now = false): void {
    this.time = t;
    const withNumbers = now || performance.now() - this.lastNumbers > 90;
    if (withNumbers) this.lastNumbers = performance.now();
    for (const plot of this.plots) plot.setTime(t, withNumbers);
    this.phase.setTime(t);
    clearTimeout(this.later);
    if (!withNumbers) this.later = setTimeout(() => this.setTime(this.time, true), 100);
  }

  refreshRange(): void { for (const plot of this.plots) plot.refreshRange(); }

  private resize(): void {
    for (const plot of this.plots) plot.resize();
    this.phase.redraw();
    this.phase.setTime(this.time);
  }
}
