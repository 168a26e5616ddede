// A phase diagram: one recorded number over another, with the point of now.
import { roundStep } from "./floor";
import { tick } from "./format";
import { Curve, nearestIndex, Run } from "./run";
import { PALETTES, seriesColor, Theme } from "./theme";

export interface PhaseLine { run: Run; x: Curve; y: Curve }

export class Phase {
  readonly element = document.createElement("div");
  private readonly canvas = document.createElement("canvas");
  private readonly dots: HTMLElement[] = [];
  private width = 0;
  private height = 0;
  private lines: PhaseLine[] = [];
  private theme: Theme = "light";
  private box = { x0: 0, x1: 1, y0: 0, y1: 1 };
  private readonly margin = { left: 62, right: 12, top: 8, bottom: 36 };
  private labels: [string, string] = ["", ""];

  constructor() {
    this.element.className = "phase";
    this.element.append(this.canvas);
    this.canvas.setAttribute("role", "img");
  }

  set(lines: PhaseLine[], labels: [string, string], theme: Theme): void {
    this.lines = lines;
    this.labels = labels;
    this.theme = theme;
    this.canvas.setAttribute("aria-label", `phase diagram: ${labels[1]} over ${labels[0]}`);
    this.redraw();
  }

  redraw(): void {
    const width = this.width = this.canvas.clientWidth, height = this.height = this.canvas.clientHeight;
    if (width === 0 || height === 0 || this.lines.length === 0) return;
    const ratio = Math.min(2, devicePixelRatio);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const c = this.canvas.getContext("2d")!;
    c.scale(ratio, ratio);
    this.fit();
    this.drawAxes(c, width, height);
    this.lines.forEach((line, i) => this.drawLine(c, line, seriesColor(i, this.theme)));
  }

  private fit(): void {
    const range = (curves: Curve[]): [number, number] => {
      const min = Math.min(...curves.map((c) => c.min)), max = Math.max(...curves.map((c) => c.max));
      const pad = 0.05 * (max - min) || 0.5 * Math.abs(max) || 1;
      return [min - pad, max + pad];
    };
    const [x0, x1] = range(this.lines.map((l) => l.x)), [y0, y1] = range(this.lines.map((l) => l.y));
    this.box = { x0, x1, y0, y1 };
  }

  private px(x: number): number {
    const { left, right } = this.margin;
    return left + ((x - this.box.x0) / (this.box.x1 - this.box.x0)) * (this.width - left - right);
  }
  private py(y: number): number {
    const { top, bottom } = this.margin;
    return top + ((this.box.y1 - y) / (this.box.y1 - this.box.y0)) * (this.height - top - bottom);
  }

  private drawAxes(c: CanvasRenderingContext2D, width: number, height: number): void {
    const palette = PALETTES[this.theme], { left, right, top, bottom } = this.margin;
    c.font = '11px "Inter", system-ui, sans-serif';
    c.fillStyle = palette.muted;
    c.strokeStyle = palette.line;
    c.lineWidth = 1;
    const ticks = (a: number, b: number, count: number) => {
      const step = roundStep((b - a) / count);
      return Array.from({ length: Math.floor(b / step) - Math.ceil(a / step) + 1 }, (_, i) => (Math.ceil(a / step) + i) * step);
    };
    const line = (xa: number, ya: number, xb: number, yb: number) => { c.beginPath(); c.moveTo(xa, ya); c.lineTo(xb, yb); c.stroke(); };
    c.textAlign = "center";
    for (const x of ticks(this.box.x0, this.box.x1, 5)) {
      line(this.px(x), top, this.px(x), height - bottom);
      c.fillText(tick(Number(x.toPrecision(10))), this.px(x), height - bottom + 14);
    }
    c.textAlign = "right";
    for (const y of ticks(this.box.y0, this.box.y1, 4)) {
      line(left, this.py(y), width - right, this.py(y));
      c.fillText(tick(Number(y.toPrecision(10))), left - 6, this.py(y) + 4);
    }
    c.textAlign = "center";
    c.fillText(this.labels[0], (left + width - right) / 2, height - 4);
    c.save();
    c.translate(11, (top + height - bottom) / 2);
    c.rotate(-Math.PI / 2);
    c.fillText(this.labels[1], 0, 0);
    c.restore();
  }

  private drawLine(c: CanvasRenderingContext2D, { x, y }: PhaseLine, color: string): void {
    c.strokeStyle = color;
    c.lineWidth = 1.4;
    c.lineJoin = "round";
    c.beginPath();
    for (let i = 0; i < x.values.length; ++i) c.lineTo(this.px(x.values[i]), this.py(y.values[i]));
    c.stroke();
  }

  setTime(t: number): void {
    if (this.width === 0) return;
    while (this.dots.length > this.lines.length) this.dots.pop()!.remove();
    while (this.dots.length < this.lines.length) this.dots.push(this.element.appendChild(document.createElement("i")));
    this.lines.forEach(({ run, x, y }, i) => {
      const k = nearestIndex(run.time, t), { style } = this.dots[i];
      style.background = seriesColor(i, this.theme);
      style.transform = `translate(${this.px(x.values[k]).toFixed(1)}px, ${this.py(y.values[k]).toFixed(1)}px)`;
    });
  }
}
