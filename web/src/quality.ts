// How finely the mechanism is drawn. In motion as finely as the machine keeps up with; at rest as finely as the display shows.
// Where a processor does what a graphics card should, pictures in motion have fewer pixels if need be, those at rest four times as many.

const ENOUGH = 1000 / 32; // milliseconds between frames: slower is not smooth
const MANY = 4_500_000; // pixels: no picture needs more

export class Quality {
  /// A ratio asked for: then that, always.
  fixed: number | null = null;
  private motion = 1; // of what a picture in motion may have at most
  private intervals: number[] = [];
  private rises = 3; // how often it may still be tried whether finer goes too

  constructor(readonly software: boolean) {}

  /// Pixels of the canvas to a CSS pixel.
  ratio(moving: boolean, width: number, height: number): number {
    if (this.fixed !== null) return this.fixed;
    const display = Math.min(2, devicePixelRatio);
    if (moving) return this.motion * (this.software ? Math.min(1, display) : display);
    return Math.min(this.software ? 2 * display : display, Math.sqrt(MANY / Math.max(1, width * height)));
  }

  /// Of curves: 1 is as fine as can be seen.
  fineness(moving: boolean): number { return moving && this.software ? 0.4 : 1; }

  /// Learns from the milliseconds between two frames of a motion.
  note(milliseconds: number): void {
    this.intervals.push(milliseconds);
    if (this.intervals.length < 24) return;
    const median = this.intervals.sort((a, b) => a - b)[12];
    this.intervals = [];
    if (median > ENOUGH && this.motion > 0.5) this.motion = Math.max(0.5, 0.8 * this.motion);
    else if (median < 0.6 * ENOUGH && this.motion < 1 && this.rises-- > 0) this.motion = Math.min(1, 1.2 * this.motion);
  }
}
