// Colours, in light and dark.
import * as THREE from "three";

export type Theme = "light" | "dark";

export interface Palette {
  sky: string; floor: string; grid: string; axis: string; text: string; muted: string; line: string;
  joint: string; spring: string; force: string; torque: string; ground: string;
}

export const PALETTES: Record<Theme, Palette> = {
  light: {
    sky: "#eef1f6", floor: "#f8fafc", grid: "#9aa6b8", axis: "#5b6678", text: "#18212f", muted: "#5a6678", line: "#d5dce6",
    joint: "#39424f", spring: "#7a8699", force: "#d7263d", torque: "#8a3ffc", ground: "#8c97a8",
  },
  dark: {
    sky: "#12161d", floor: "#1a202a", grid: "#5a6779", axis: "#9aa7ba", text: "#e8edf5", muted: "#9eabbd", line: "#2c3542",
    joint: "#cfd6e1", spring: "#9aa6b8", force: "#ff5c6c", torque: "#b78cff", ground: "#748196",
  },
};

/// For the curves of a plot and for few bodies: told apart also by people who see few colours (after Okabe and Ito, Tol).
const SERIES: Record<Theme, string[]> = {
  light: ["#2563c9", "#e0731d", "#0f8f6e", "#b83280", "#8a6d00", "#5b5bd6", "#c0392b", "#3a7d95"],
  dark: ["#6aa5ff", "#ff9f4d", "#3fd0a5", "#f178bd", "#e2c044", "#a3a3ff", "#ff7b6b", "#6cc6e0"],
};

export function seriesColor(index: number, theme: Theme): string {
  return SERIES[theme][index % SERIES[theme].length];
}

/// The colours of bodies: those of the series for a few, along a smooth scale for many.
export function bodyColor(index: number, count: number, theme: Theme): THREE.Color {
  if (count <= SERIES.light.length) return new THREE.Color(seriesColor(index, theme));
  const stops = theme === "light" ? ["#28458e", "#2f7fb8", "#2aa198", "#7fb24a", "#e3b23c", "#e0662f", "#b52b4d"]
    : ["#5b7fe0", "#4fb0e8", "#45cdbb", "#a4d66a", "#f5cd5c", "#f58b56", "#e85d83"];
  const place = (index / (count - 1)) * (stops.length - 1), k = Math.min(stops.length - 2, Math.floor(place));
  return new THREE.Color(stops[k]).lerp(new THREE.Color(stops[k + 1]), place - k);
}

/// A colour of the model's own, lightened where it would be lost in the dark.
export function ownColor(color: string, theme: Theme): THREE.Color {
  const out = new THREE.Color(color), luminance = 0.2126 * out.r + 0.7152 * out.g + 0.0722 * out.b;
  return theme === "dark" && luminance < 0.12 ? out.lerp(new THREE.Color("#cfd6e1"), 0.35) : out;
}
