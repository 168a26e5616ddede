// Icons, drawn on 24 by 24.
const PATHS: Record<string, string> = {
  play: '<path class="solid" d="M7 4.5v15l13-7.5z"/>',
  pause: '<path class="solid" d="M6 4.5h4.2v15H6zM13.800 4.500H18v15h-4.200z"/>',
  first: '<path d="M6 5v14"/><path class="solid" d="M19 5v14l-10-7z"/>',
  back: '<path class="solid" d="M16 5.500v13L6 12z"/><path d="M19 5.500v13"/>',
  forth: '<path class="solid" d="M8 5.500v13L18 12z"/><path d="M5 5.500v13"/>',
  loop: '<path d="M17 3l3.500 3.500L17 10"/><path d="M3.500 12V10A3.500 3.500 0 0 1 7 6.500h13.500"/><path d="M7 21l-3.500-3.500L7 14"/><path d="M20.500 12v2a3.500 3.500 0 0 1-3.500 3.500H3.500"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 2.500v2.500M12 19v2.500M2.500 12H5M19 12h2.500M5.300 5.300L7 7M17 17l1.700 1.700M18.700 5.300L17 7M7 17l-1.700 1.700"/>',
  moon: '<path d="M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z"/>',
};

export function icon(name: string): SVGElement {
  const holder = document.createElement("div");
  holder.innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;
  return holder.firstElementChild as SVGElement;
}
