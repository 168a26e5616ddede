// Numbers for people: few digits, units, and never an exponent where none is needed.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function superscript(n: number): string {
  return (n < 0 ? "⁻" : "") + [...String(Math.abs(n))].map((d) => SUPERSCRIPTS[Number(d)]).join("");
}

/// 4 digits, as 12.34, 0.001234 or 1.234·10⁻⁷.
export function number(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || !Number.isFinite(x)) return x === undefined || x === null ? "–" : String(x);
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e6) {
    const text = x.toPrecision(digits);
    const plain = text.includes("e") ? x.toFixed(0) : text;
    return (plain.includes(".") ? plain.replace(/\.?0+$/, "") : plain).replace("-", "−");
  }
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  const short = mantissa.replace(/\.?0+$/, "").replace("-", "−");
  return `${short}·10${superscript(Number(exponent))}`;
}

/// m^2 as m², N m as N m.
export function unitText(unit: string): string {
  return unit === "1" ? "" : unit.replaceAll("^2", "²").replaceAll("^3", "³");
}

export function quantity(x: number | null | undefined, unit: string, digits = 4): string {
  const text = unitText(unit);
  return text === "" ? number(x, digits) : `${number(x, digits)} ${text}`;
}

export function vector(v: readonly number[], digits = 4): string {
  return `(${v.map((x) => number(x, digits)).join(", ")})`;
}

/// A time with as many digits as tell two frames apart.
export function time(t: number, step: number): string {
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(Math.max(step, 1e-12)))));
  return t.toFixed(digits);
}

/// Axis labels: short.
export function tick(x: number): string {
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = x.toExponential(2).split("e");
    const short = mantissa.replace(/\.?0+$/, "");
    return (short === "1" ? "" : short === "-1" ? "−" : `${short.replace("-", "−")}·`) + `10${superscript(Number(exponent))}`;
  }
  return String(Number(x.toPrecision(6))).replace("-", "−");
}
