// A plot over time, with the curves of all runs, a cursor that is the time of the page, and the numbers at it.
import uPlot from "uplot";
import { number, quantity, tick, unitText } from "./format";
import { Group, nearestIndex } from "./run";
import { PALETTES, seriesColor, Theme } from "./theme";

export interface PlotHost {
  theme: Theme;
  runLabels: string[];
  range: [number, number];
  seek: (t: number) => void;
  zoom: (range: [number, number] | null) => void;
}

interface Line { label: string; color: string; dash?: number[]; group: Group; curve: number; run: number; shown: boolean }

const DASHES: (number[] | undefined)[] = [undefined, [6, 4], [2, 3], [10, 3, 2, 3], [1, 2]];

export class Plot {
  readonly element = document.createElement("section");
  private readonly title = document.createElement("h3");
  private readonly controls = document.createElement("div");
  private readonly legend = document.createElement("div");
  private readonly holder = document.createElement("div");
  private readonly cursor = document.createElement("div");
  private plot: uPlot | null = null;
  private lines: Line[] = [];
  private values: HTMLElement[] = [];
  private groups: Group[] = [];
  private time = 0;
  private width = 0;
  private seen = false; // somewhere on the screen: others are not drawn
  private stale = false;
  private readonly hidden = new Map<string, boolean>();

  constructor(readonly id: string, private readonly host: PlotHost, controls: HTMLElement[] = []) {
    this.element.className = "card";
    this.element.dataset.plot = id;
    this.holder.className = "plot";
    this.legend.className = "legend";
    this.controls.className = "controls";
    this.cursor.className = "cursor";
    this.controls.append(...controls);
    const head = document.createElement("div");
    head.className = "card-head";
    head.append(this.title, this.controls);
    this.element.append(head, this.holder, this.legend);
    new IntersectionObserver(([entry]) => {
      this.seen = entry.isIntersecting;
      if (!this.seen) return;
      if (this.stale) this.rebuild();
      this.setTime(this.time, true);
    }).observe(this.element);
  }

  /// One group a run, of the same quantity; `runs` says of which.
  setGroups(groups: Group[], heading: string, mainCurve?: string, runs = groups.map((_, i) => i)): void {
    this.groups = groups;
    const several = groups.length > 1, unit = unitText(groups[0]?.unit ?? "");
    this.title.textContent = heading;
    if (unit) {
      const small = document.createElement("small");
      small.textContent = unit;
      this.title.append(" ", small);
    }
    this.lines = groups.flatMap((group, g) => group.curves.flatMap((curve, k): Line[] => {
      const run = runs[g];
      if (several && mainCurve && curve.name !== mainCurve) return []; // of several runs only what is compared
      const silent = curve.min === 0 && curve.max === 0 && group.curves.length > 1;
      const name = curve.name === "" ? group.title : curve.name;
      return [{
        label: several ? (group.curves.length > 1 && !mainCurve ? `${name}, ${this.host.runLabels[run]}` : this.host.runLabels[run]) : name,
        color: seriesColor(several ? run : k, this.host.theme), dash: several && !mainCurve ? DASHES[k % DASHES.length] : undefined,
        group, curve: k, run, shown: this.hidden.get(`${run} ${name}`) ?? !silent,
      }];
    }));
    this.buildLegend();
    this.stale = true;
    if (this.seen) this.rebuild();
  }

  /// What is drawn, for tests.
  data(): { label: string; time: number[]; values: number[]; min: number; max: number; shown: boolean }[] {
    return this.lines.map(({ label, group, curve, shown }) => ({
      label, shown, time: [...group.time], values: [...group.curves[curve].values], min: group.curves[curve].min, max: group.curves[curve].max }));
  }

  /// The range of the vertical axis that is drawn.
  yRange(): [number, number] {
    if (this.stale) this.rebuild();
    const { min, max } = this.plot!.scales.y;
    return [min!, max!];
  }

  private buildLegend(): void {
    this.values = [];
    this.legend.replaceChildren(...this.lines.map((line) => {
      const button = document.createElement("button"), swatch = document.createElement("i"), value = document.createElement("output");
      const curve = line.group.curves[line.curve];
      button.type = "button";
      button.setAttribute("aria-pressed", String(line.shown));
      button.title = `${line.label}: from ${quantity(curve.min, line.group.unit)} to ${quantity(curve.max, line.group.unit)}; click to show or hide`;
      swatch.style.background = line.color;
      button.append(swatch, `${line.label} `, value);
      button.addEventListener("click", () => {
        line.shown = !line.shown;
        this.hidden.set(`${line.run} ${curve.name === "" ? line.group.title : curve.name}`, line.shown);
        button.setAttribute("aria-pressed", String(line.shown));
        this.plot?.setSeries(this.lines.indexOf(line) + 1, { show: line.shown });
        this.place();
      });
      this.values.push(value);
      return button;
    }));
  }

  private table(): uPlot.AlignedData {
    const log = this.groups[0]?.log ?? false;
    const clean = (values: Float32Array) => (log ? Array.from(values, (x) => (x > 0 ? x : null)) : Array.from(values));
    const tables = this.groups.map((group) => {
      const own = this.lines.filter((line) => line.group === group);
      return [Array.from(group.time), ...own.map((line) => clean(group.curves[line.curve].values))] as uPlot.AlignedData;
    });
    return tables.length === 1 ? tables[0] : uPlot.join(tables);
  }

  private rebuild(): void {
    this.stale = false;
    this.plot?.destroy();
    this.plot = null;
    this.holder.replaceChildren();
    if (this.lines.length === 0) return;
    const palette = PALETTES[this.host.theme], log = this.groups[0].log;
    const font = '11px "Inter", system-ui, sans-serif';
    const axis = { stroke: palette.muted, font, grid: { stroke: palette.line, width: 1 }, ticks: { stroke: palette.line, width: 1, size: 4 } };
    // of a logarithmic axis only whole powers of ten, and of many not every one
    const powers = (u: uPlot, splits: number[]) => {
      const every = Math.max(1, Math.ceil(Math.log10(u.scales.y.max! / u.scales.y.min!) / 6));
      return splits.map((x) => {
        const exponent = Math.round(Math.log10(x));
        return Math.abs(Math.log10(x) - exponent) < 1e-9 && exponent % every === 0 ? x : null;
      });
    };
    const upright = log ? { ...axis, grid: { ...axis.grid, filter: powers }, ticks: { ...axis.ticks, filter: powers }, filter: powers } : axis;
    const table = this.table();
    const nothing = log && table.slice(1).every((values) => (values as (number | null)[]).every((x) => x === null || x === undefined));
    if (nothing) {
      const note = document.createElement("p");
      note.className = "note";
      note.textContent = "zero throughout";
      this.holder.append(note);
      return;
    }
    this.width = Math.max(120, this.holder.clientWidth);
    this.plot = new uPlot({
      width: this.width, height: 150, padding: [6, 10, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, x: false, y: false },
      scales: { x: { time: false, range: () => this.host.range }, y: log ? { distr: 3, log: 10 } : {} },
      axes: [
        { ...axis, size: 30, values: (_, ticks) => ticks.map((x) => tick(x)), space: 60 },
        { ...upright, size: 62, values: (_, ticks) => ticks.map((x) => (x === null ? "" : tick(x))), space: 26 },
      ],
      hooks: { draw: [() => this.place()] },
      series: [{}, ...this.lines.map((line) => ({
        show: line.shown, stroke: line.color, width: line.curve === 0 ? 2 : 1.5, dash: line.dash, spanGaps: true, points: { show: line.group.time.length < 3 },
      }))],
    }, table, this.holder);
    this.plot.over.append(this.cursor);
    this.listen(this.plot.over);
    this.place();
  }

  private listen(over: HTMLElement): void {
    const to = (event: PointerEvent) => {
      const t = this.plot!.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
      this.host.seek(t);
    };
    over.addEventListener("pointerdown", (event) => {
      over.setPointerCapture(event.pointerId);
      to(event);
    });
    over.addEventListener("pointermove", (event) => { if (over.hasPointerCapture(event.pointerId)) to(event); });
    over.addEventListener("dblclick", () => this.host.zoom(null));
    over.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey) return; // else the panel scrolls
      event.preventDefault();
      const at = this.plot!.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
      const factor = (event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8, [from, to] = this.host.range;
      this.host.zoom([at - (at - from) * factor, at + (to - at) * factor]);
    }, { passive: false });
  }

  refreshRange(): void {
    this.plot?.setScale("x", { min: this.host.range[0], max: this.host.range[1] });
    this.place();
  }

  resize(): void {
    const width = this.holder.clientWidth;
    if (!this.plot || width === 0 || width === this.width) return;
    this.width = width;
    this.plot.setSize({ width, height: 150 });
    this.place();
  }

  setTime(t: number, withNumbers: boolean): void {
    this.time = t;
    if (!this.seen) return;
    this.place();
    if (!withNumbers) return;
    this.lines.forEach((line, i) => {
      const { time, curves } = line.group;
      this.values[i].textContent = time.length > 0 ? number(curves[line.curve].values[nearestIndex(time, t)]) : "";
    });
  }

  private place(): void {
    if (!this.plot) return;
    const x = this.plot.valToPos(this.time, "x");
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.cursor.hidden = !(x >= -1 && x <= this.plot.bbox.width / devicePixelRatio + 1); // uPlot's own number: to ask the page would lay it out
  }
}
