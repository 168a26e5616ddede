// The page: loads the data, and ties time, space, plots and tables together.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { quantity, time as timeText } from "./format";
import { icon } from "./icons";
import { inlinePackage, Package, serverPackage, serverStatus } from "./package";
import { Player } from "./player";
import { Plots } from "./plots";
import { Run } from "./run";
import type { Preset } from "./framing";
import { Stage, StageOptions } from "./stage";
import { certificateTables, modelTables, optionTables } from "./tables";
import { seriesColor, Theme } from "./theme";

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const settings = new URLSearchParams(location.hash.slice(1)); // #t=0.5&play=0&theme=dark&show=reactions,polhode&hide=trails&look=front

/// Until the browser has shown what was drawn.
const painted = () => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)));

class App {
  theme: Theme = "light";
  runs: Run[] = [];
  data!: Package;
  frames = 0; // drawn so far, for tests
  firstFrame = 0; // milliseconds after the page was asked for
  readonly player = new Player();
  readonly stage: Stage;
  readonly plots: Plots;
  private range: [number, number] = [0, 1];
  private zoomed = false;
  private states = "";
  private last = 0;
  private lastClock = 0;
  private readonly pages = new Map<string, HTMLElement>();
  private intervals: number[] = [];

  constructor() {
    this.theme = this.firstTheme();
    document.documentElement.dataset.theme = this.theme;
    this.stage = new Stage(byId<HTMLCanvasElement>("view"), byId<HTMLCanvasElement>("floor"), byId("labels"));
    this.stage.setTheme(this.theme);
    const app = this;
    this.plots = new Plots({
      get theme() { return app.theme; },
      get runLabels() { return app.runs.map((run) => run.head.label); },
      get range() { return app.range; },
      seek: (t) => { this.player.pause(); this.player.seek(t); },
      zoom: (range) => this.zoom(range),
    }, (body) => this.stage.select(body));
    this.buildTransport();
    this.buildCameras();
    this.buildSwitches();
    this.buildTabs();
    this.buildKeys();
    this.player.onChange(() => this.showTime());
    new ResizeObserver(() => this.stage.resize()).observe(byId("stage"));
    if (settings.has("pixels")) this.stage.quality.fixed = Number(settings.get("pixels"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(this.firstTheme()));
  }

  private firstTheme(): Theme {
    const wanted = settings.get("theme");
    if (wanted === "dark" || wanted === "light") return wanted;
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  async show(data: Package): Promise<void> {
    const again = this.runs.length > 0;
    this.data = data;
    this.runs = data.header.runs.map((head) => new Run(head, data));
    document.title = `${data.header.title} · polhode`;
    byId("title").textContent = data.header.title;
    byId("runs").replaceChildren(...this.runs.map((run, i) => {
      const chip = document.createElement("span"), dot = document.createElement("i"), text = document.createElement("span");
      chip.className = "chip";
      if (this.runs.length > 1) {
        dot.style.background = seriesColor(i, this.theme);
        chip.append(dot);
      }
      text.textContent = run.head.label;
      chip.append(text);
      return chip;
    }));
    const longest = this.runs.reduce((a, b) => (b.endTime > a.endTime ? b : a));
    byId<HTMLInputElement>("scrub").max = String(Math.max(0, Math.max(...this.runs.map((r) => r.frameCount)) - 1));
    this.player.setFrames(longest.time, again);
    if (!this.zoomed) this.range = [0, Math.max(this.player.end, 1e-12)];
    this.stage.setRuns(this.runs, again);
    this.stage.resize();
    if (!again) {
      this.stage.look((settings.get("look") as Preset | null) ?? "fit");
      this.stage.draw();
      this.stage.finish();
      this.firstFrame = performance.now();
      await painted(); // the mechanism first, the plots after it
    }
    this.plots.setRuns(this.runs, data);
    const states = JSON.stringify(data.header.runs.map((run) => run.status));
    if (states !== this.states) this.fillTables();
    this.states = states;
    this.fillBodies();
    byId("app").setAttribute("aria-busy", "false");
    this.showTime();
    this.showClock();
  }

  /// The first look: as the address asks, moving unless the reader prefers rest.
  begin(): void {
    const options: Partial<StageOptions> = {};
    for (const name of (settings.get("show") ?? "").split(",").filter(Boolean)) options[name as keyof StageOptions] = true;
    for (const name of (settings.get("hide") ?? "").split(",").filter(Boolean)) options[name as keyof StageOptions] = false;
    this.setOptions(options);
    if (settings.has("body")) this.choose(Number(settings.get("body")));
    if (settings.has("t")) this.player.seek(Number(settings.get("t")));
    const still = settings.get("play") === "0" || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!still && !this.player.following && !settings.has("t")) this.player.play();
    requestAnimationFrame((now) => this.draw(now));
  }

  private draw(now: number): void {
    const interval = now - this.last;
    this.player.advance(this.last > 0 ? interval / 1000 : 0);
    if (this.player.playing && this.last > 0) this.stage.quality.note(interval);
    this.last = now;
    this.stage.draw(now);
    this.frames++;
    this.intervals.push(interval);
    if (this.intervals.length > 240) this.intervals.shift();
    requestAnimationFrame((next) => this.draw(next));
  }

  /// Milliseconds between frames, the median of the last ones.
  frameInterval(): number { return [...this.intervals].sort((a, b) => a - b)[this.intervals.length >> 1]; }
  forgetIntervals(): void { this.intervals = []; }

  private showTime(): void {
    const { player } = this, scrub = byId<HTMLInputElement>("scrub"), frame = String(player.nearest(player.time));
    this.stage.setTime(player.time);
    if (scrub.value !== frame) scrub.value = frame;
    if (!this.pages.get("plots")?.hidden) this.plots.setTime(player.time);
    // nobody reads numbers that change more often than ten times a second
    if (!player.playing || performance.now() - this.lastClock > 90) this.showClock();
  }

  private showClock(): void {
    const { player } = this, scrub = byId("scrub"), play = byId("play"), name = player.playing ? "pause" : "play";
    const text = timeText(player.time, player.step), end = timeText(player.end, player.step);
    this.lastClock = performance.now();
    scrub.setAttribute("aria-valuetext", `${text} s of ${end} s`);
    const small = document.createElement("small");
    small.textContent = ` / ${end} s`;
    byId("clock").replaceChildren(`${text} s`, small);
    if (play.dataset.shows !== name) {
      play.dataset.shows = name;
      play.replaceChildren(icon(name));
      play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    }
    byId("loop").setAttribute("aria-pressed", String(player.loop));
    byId<HTMLSelectElement>("speed").value = String(player.speed);
  }

  private buildTransport(): void {
    const { player } = this;
    for (const name of ["first", "back", "forth", "loop"]) byId(name).append(icon(name));
    byId("first").addEventListener("click", () => { player.pause(); player.seek(0); });
    byId("back").addEventListener("click", () => player.stepBy(-1));
    byId("forth").addEventListener("click", () => player.stepBy(1));
    byId("play").addEventListener("click", () => player.toggle());
    byId("loop").addEventListener("click", () => this.toggleLoop());
    const scrub = byId<HTMLInputElement>("scrub");
    scrub.addEventListener("input", () => {
      const frame = Number(scrub.value); // before pausing shows the time, and moves the slider with it
      const longest = this.runs.reduce((a, b) => (b.endTime > a.endTime ? b : a));
      player.pause();
      player.seek(longest.time[frame]);
    });
    const speed = byId<HTMLSelectElement>("speed");
    for (const s of player.speeds) speed.append(new Option(`${s} ×`, String(s)));
    speed.addEventListener("change", () => { player.speed = Number(speed.value); });
  }

  private toggleLoop(): void {
    this.player.loop = !this.player.loop;
    this.showClock();
  }

  private buildCameras(): void {
    const bar = byId("cameras");
    const presets: [Preset, string, string][] = [["fit", "Fit", "0"], ["front", "Front", "1"], ["right", "Side", "2"], ["top", "Top", "3"]];
    for (const [preset, name, key] of presets) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.title = `${name} (${key})`;
      button.addEventListener("click", () => this.stage.look(preset));
      bar.append(button);
    }
    const follow = document.createElement("select");
    follow.id = "follow";
    follow.setAttribute("aria-label", "Follow a body");
    follow.addEventListener("change", () => this.stage.setFollow(Number(follow.value)));
    bar.append(follow);
    const canvas = byId<HTMLCanvasElement>("view");
    let down: [number, number] | null = null;
    canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
    canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      this.choose(this.stage.pick(event.clientX, event.clientY));
    });
    canvas.addEventListener("dblclick", () => this.stage.look("fit"));
  }

  private fillBodies(): void {
    const follow = byId<HTMLSelectElement>("follow"), kept = follow.value;
    const bodies = this.runs[0].head.bodies;
    follow.replaceChildren(new Option("Follow …", "-1"), ...bodies.map((body, i) => new Option(`Follow: ${body.name}`, String(i))));
    follow.value = kept && Number(kept) < bodies.length ? kept : "-1";
    this.fillTrails();
  }

  private fillTrails(): void {
    const list = byId<HTMLSelectElement>("trail-body"), { bodies, joints } = this.runs[0].head;
    if (list.options.length === bodies.length) return;
    list.replaceChildren(...bodies.map((body, i) => new Option(body.name, String(i))));
    const fillPoints = () => {
      const body = Number(list.value), points = byId<HTMLSelectElement>("trail-point");
      const held = joints.flatMap((j) => [...(j.a === body ? [{ name: j.name, at: j.point_a }] : []), ...(j.b === body ? [{ name: j.name, at: j.point_b }] : [])]);
      points.replaceChildren(new Option("centre of mass", JSON.stringify(bodies[body].centre_of_mass)), new Option("origin of its frame", "[0,0,0]"),
        ...held.map(({ name, at }) => new Option(`at ${name}`, JSON.stringify(at))));
    };
    list.addEventListener("change", fillPoints);
    fillPoints();
  }

  choose(body: number): void {
    this.stage.select(body);
    this.plots.chooseBody(body);
    this.showLegend();
  }

  private readonly switches: [keyof StageOptions, string, string][] = [
    ["trails", "Trails", "t"], ["joints", "Joints", "j"], ["springs", "Springs", "s"], ["frames", "Body frames", "f"],
    ["reactions", "Reaction forces", "r"], ["torques", "Reaction torques", "m"], ["polhode", "Polhode and herpolhode", "p"],
    ["ghosts", "Other runs", "g"], ["names", "Names", "n"], ["floor", "Floor", "o"],
  ];

  private buildSwitches(): void {
    const holder = byId("switches");
    for (const [name, text, key] of this.switches) {
      const label = document.createElement("label"), box = document.createElement("input"), kbd = document.createElement("kbd");
      box.type = "checkbox";
      box.id = `show-${name}`;
      box.checked = this.stage.options[name];
      box.addEventListener("change", () => this.setOptions({ [name]: box.checked }));
      kbd.textContent = key.toUpperCase();
      label.append(box, text, kbd);
      holder.append(label);
    }
    const trail = document.createElement("fieldset"), legend = document.createElement("legend");
    const body = document.createElement("select"), point = document.createElement("select"), add = document.createElement("button"), clear = document.createElement("button");
    legend.textContent = "Trail of a point";
    body.id = "trail-body";
    point.id = "trail-point";
    body.setAttribute("aria-label", "Body of the trail");
    point.setAttribute("aria-label", "Point of the trail");
    add.type = clear.type = "button";
    add.textContent = "Add";
    clear.textContent = "Remove all";
    add.addEventListener("click", () => {
      this.stage.trailChoices.push({ body: Number(body.value), point: JSON.parse(point.value) });
      this.stage.buildTrails();
      this.setOptions({ trails: true });
    });
    clear.addEventListener("click", () => { this.stage.trailChoices = []; this.stage.buildTrails(); });
    trail.append(legend, body, point, add, clear);
    holder.append(trail);
  }

  setOptions(options: Partial<StageOptions>): void {
    this.stage.set(options);
    for (const [name] of this.switches) byId<HTMLInputElement>(`show-${name}`).checked = this.stage.options[name];
    this.showLegend();
  }

  private showLegend(): void {
    byId("scale").textContent = this.stage.scaleText((x, unit) => quantity(x, unit, 3));
    const inset = byId("inset"), body = this.runs.length > 0 && this.stage.options.polhode ? this.stage.polhodeBody() : -1;
    inset.hidden = body < 0;
    if (body < 0) return;
    const line = (color: number, word: string, rest: string) => {
      const b = document.createElement("b");
      b.textContent = word;
      b.style.color = seriesColor(color, this.theme);
      return [b, rest];
    };
    inset.replaceChildren(...line(0, "polhode", ", on the body, and "), ...line(1, "herpolhode", `, in space, of ${this.runs[0].head.bodies[body].name}`));
  }

  private buildTabs(): void {
    const tabs = byId("tabs"), pages = byId("pages");
    for (const [id, text] of [["plots", "Plots"], ["certificate", "Certificate"], ["model", "Model"], ["options", "Options"]]) {
      const tab = document.createElement("button"), page = id === "plots" ? this.plots.element : document.createElement("div");
      tab.type = "button";
      tab.id = `tab-${id}`;
      tab.textContent = text;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", `page-${id}`);
      page.className = "page";
      page.id = `page-${id}`;
      page.setAttribute("role", "tabpanel");
      page.setAttribute("aria-labelledby", tab.id);
      tab.addEventListener("click", () => this.openTab(id));
      tab.addEventListener("keydown", (event) => {
        const names = [...this.pages.keys()], step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (step === 0) return;
        event.preventDefault();
        event.stopPropagation();
        this.openTab(names[(names.indexOf(id) + step + names.length) % names.length], true);
      });
      tabs.append(tab);
      pages.append(page);
      this.pages.set(id, page);
    }
    this.openTab(settings.get("tab") ?? "plots");
  }

  openTab(wanted: string, focus = false): void {
    for (const [id, page] of this.pages) {
      const tab = byId(`tab-${id}`), open = id === wanted;
      page.hidden = !open;
      tab.setAttribute("aria-selected", String(open));
      tab.tabIndex = open ? 0 : -1;
      if (open && focus) tab.focus();
    }
    if (wanted === "plots" && this.runs.length > 0) this.plots.setTime(this.player.time, true);
  }

  private fillTables(): void {
    const { header } = this.data;
    this.pages.get("certificate")!.replaceChildren(...certificateTables(header));
    this.pages.get("model")!.replaceChildren(...modelTables(header.runs[0]));
    const about = document.createElement("p");
    about.className = "note";
    about.textContent = `Made by polhode ${header.polhode}.`;
    this.pages.get("options")!.replaceChildren(...optionTables(header), about);
  }

  private zoom(range: [number, number] | null): void {
    const end = Math.max(this.player.end, 1e-12);
    this.zoomed = range !== null && (range[0] > 0 || range[1] < end);
    this.range = this.zoomed ? [Math.max(0, range![0]), Math.min(end, range![1])] : [0, end];
    this.plots.refreshRange();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    byId("theme").replaceChildren(icon(theme === "dark" ? "sun" : "moon"));
    this.stage.setTheme(theme);
    if (this.runs.length > 0) {
      this.plots.setRuns(this.runs, this.data);
      this.showLegend();
    }
  }

  private buildKeys(): void {
    byId("theme").append(icon(this.theme === "dark" ? "sun" : "moon"));
    byId("theme").addEventListener("click", () => this.setTheme(this.theme === "dark" ? "light" : "dark"));
    const dialog = byId<HTMLDialogElement>("keys");
    byId("help").addEventListener("click", () => dialog.showModal());
    const { player, stage } = this;
    const keys: [string, string, string, () => void][] = [
      [" ", "space", "play or pause", () => player.toggle()],
      ["ArrowLeft", "←", "one frame back; with shift ten", () => player.stepBy(-1)],
      ["ArrowRight", "→", "one frame on; with shift ten", () => player.stepBy(1)],
      ["Home", "Home", "to the start", () => { player.pause(); player.seek(0); }],
      ["End", "End", "to the end", () => { player.pause(); player.seek(player.end); }],
      ["+", "+", "faster", () => { player.changeSpeed(1); this.showClock(); }],
      ["-", "−", "slower", () => { player.changeSpeed(-1); this.showClock(); }],
      ["l", "L", "loop", () => this.toggleLoop()],
      ["0", "0", "the whole mechanism", () => stage.look("fit")],
      ["1", "1", "from the front", () => stage.look("front")],
      ["2", "2", "from the side", () => stage.look("right")],
      ["3", "3", "from above", () => stage.look("top")],
      ["4", "4", "from behind", () => stage.look("back")],
      ["5", "5", "from the left", () => stage.look("left")],
      ["6", "6", "from below", () => stage.look("bottom")],
      ["d", "D", "light or dark", () => this.setTheme(this.theme === "dark" ? "light" : "dark")],
      ...this.switches.map(([name, text, key]): [string, string, string, () => void] =>
        [key, key.toUpperCase(), `${text.toLowerCase()}: show or hide`, () => this.setOptions({ [name]: !stage.options[name] })]),
      ["?", "?", "these keys", () => dialog.showModal()],
    ];
    byId("keylist").append(...keys.flatMap(([, shown, meaning]) => {
      const dt = document.createElement("dt"), dd = document.createElement("dd");
      dt.textContent = shown;
      dd.textContent = meaning;
      return [dt, dd];
    }));
    document.addEventListener("keydown", (event) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || dialog.open || target.matches("select, input[type=text]")) return;
      if (target.matches("button, summary, input[type=checkbox]") && (event.key === " " || event.key === "Enter")) return;
      if (target.id === "scrub" && /^(Arrow|Home|End)/.test(event.key)) return;
      if (event.shiftKey && event.key.startsWith("Arrow")) {
        player.stepBy(event.key === "ArrowRight" ? 10 : -10);
        event.preventDefault();
        return;
      }
      const found = keys.find(([key]) => key === (event.key.length === 1 ? event.key.toLowerCase() : event.key));
      if (!found) return;
      event.preventDefault();
      found[3]();
    });
  }

  fail(error: unknown): void {
    const failure = byId("failure");
    failure.hidden = false;
    failure.textContent = error instanceof Error ? error.message : String(error);
  }

  // ------------------------------------------------------------------------------------------------ runs that go on

  setLive(text: string | null): void {
    byId("live").hidden = text === null;
    byId("live-text").textContent = text ?? "";
  }

  /// Looks now and then whether the results have grown; not more often than one look takes a third of the time.
  async watch(seen: string): Promise<void> {
    let wait = 400;
    for (;;) {
      try {
        const status = await serverStatus();
        const running = status.some((s) => s.running);
        this.setLive(running ? `live, ${status.map((s) => `${Math.round((100 * s.samples) / Math.max(1, s.planned))} %`).join(", ")}` : null);
        const state = JSON.stringify(status);
        if (state !== seen) {
          const began = performance.now();
          await this.show(await serverPackage());
          wait = Math.max(400, 2 * (performance.now() - began));
          seen = state;
        }
        if (!running) {
          this.player.following = false;
          wait = 2000;
        }
      } catch {
        this.setLive("the server has gone; what it sent stays");
        wait = 3000;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

async function main(): Promise<void> {
  const data = inlinePackage(); // unpacked while the rest is made ready
  const app = new App();
  Object.assign(window, { polhode: app });
  try {
    const own = await data;
    if (own) await app.show(own);
    else {
      const status = await serverStatus();
      app.player.following = status.some((s) => s.running);
      await app.show(await serverPackage());
      void app.watch(JSON.stringify(status));
    }
    app.begin();
  } catch (error) {
    app.fail(error);
    throw error;
  }
}

void main();
