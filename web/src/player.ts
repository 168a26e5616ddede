// The time that everything shows, and how it goes on.

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export class Player {
  time = 0;
  playing = false;
  loop = true;
  speed = 1;
  /// A run that goes on is shown at its newest frame until somebody takes hold of the time.
  following = false;
  private frames: Float64Array = new Float64Array(0);
  private listeners: (() => void)[] = [];

  get speeds(): number[] { return SPEEDS; }
  get end(): number { return this.frames.length > 0 ? this.frames[this.frames.length - 1] : 0; }
  get step(): number { return this.frames.length > 1 ? this.end / (this.frames.length - 1) : 1; }

  setFrames(frames: Float64Array, keep = false): void {
    this.frames = frames;
    if (!keep) this.speed = this.naturalSpeed();
    this.time = this.following ? this.end : Math.min(this.time, this.end);
    this.notify();
  }

  /// Real time, unless that would take less than two seconds or more than a minute.
  private naturalSpeed(): number {
    const wanted = this.end < 2 ? this.end / 5 : this.end > 60 ? this.end / 30 : 1;
    return SPEEDS.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best), 1);
  }

  onChange(listener: () => void): void { this.listeners.push(listener); }
  private notify(): void { for (const listener of this.listeners) listener(); }

  toggle(): void { if (this.playing) this.pause(); else this.play(); }

  play(): void {
    if (this.time >= this.end - 1e-12) this.time = 0;
    this.following = false;
    this.playing = true;
    this.notify();
  }

  pause(): void {
    this.playing = false;
    this.notify();
  }

  /// To the recorded frame nearest to t.
  seek(t: number): void {
    this.following = false;
    this.time = this.frames[this.nearest(t)] ?? 0;
    this.notify();
  }

  stepBy(count: number): void {
    this.playing = false;
    const i = Math.min(this.frames.length - 1, Math.max(0, this.nearest(this.time) + count));
    this.seek(this.frames[i] ?? 0);
  }

  /// Index of the frame nearest to t.
  nearest(t: number): number {
    let low = 0, high = this.frames.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.frames[middle] <= t) low = middle; else high = middle;
    }
    return low + 1 < this.frames.length && this.frames[low + 1] - t < t - this.frames[low] ? low + 1 : low;
  }

  changeSpeed(steps: number): void {
    const i = SPEEDS.indexOf(this.speed);
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, i + steps))];
    this.notify();
  }

  /// Called with the seconds since the last call, as long as the page is drawn.
  advance(seconds: number): void {
    if (!this.playing || this.end <= 0) return;
    let t = this.time + this.speed * Math.min(seconds, 0.25);
    if (t >= this.end) {
      if (this.loop) t = t - this.end < 0.25 * this.speed ? 0 : t % this.end;
      else { t = this.end; this.playing = false; }
    }
    this.time = t;
    this.notify();
  }
}
