// Colours. Those of roles are from Okabe and Ito (2008), which people with any colour vision tell apart; each role has
// a shape of its own besides. Measured quantities go from the background to one strong blue; differences from blue to orange.

export type RGB = [number, number, number];

export const ROLES = {
  root: [213, 94, 0] as RGB,
  branch: [230, 159, 0] as RGB,
  held: [204, 121, 167] as RGB,
  culprit: [213, 94, 0] as RGB,
  victim: [0, 158, 115] as RGB,
};

export interface Theme {
  dark: boolean;
  background: RGB;
  ink: RGB;
  idle: RGB;
  ramp: RGB[];
  less: RGB[];
  more: RGB[];
}

const LIGHT: Theme = {
  dark: false,
  background: [255, 255, 255],
  ink: [34, 40, 49],
  idle: [214, 219, 226],
  ramp: [[222, 228, 236], [158, 190, 224], [66, 133, 196], [8, 69, 148], [5, 26, 77]],
  less: [[222, 226, 232], [127, 173, 214], [0, 90, 160]],
  more: [[222, 226, 232], [238, 170, 90], [179, 74, 0]],
}; // prettier-ignore

const DARK: Theme = {
  dark: true,
  background: [16, 20, 27],
  ink: [226, 232, 240],
  idle: [52, 60, 72],
  ramp: [[44, 52, 64], [35, 80, 130], [45, 125, 200], [110, 190, 245], [225, 245, 255]],
  less: [[50, 57, 68], [60, 130, 200], [130, 205, 255]],
  more: [[50, 57, 68], [190, 110, 30], [255, 180, 90]],
}; // prettier-ignore

export const theme = (dark: boolean): Theme => (dark ? DARK : LIGHT);

export const css = (c: RGB, alpha = 1): string => `rgba(${c[0]},${c[1]},${c[2]},${alpha})`;

/** 256 colours along some stops, as bytes RGBA. */
export function steps(stops: RGB[]): Uint8Array {
  const table = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1);
    const k = Math.min(Math.floor(at), stops.length - 2);
    for (let c = 0; c < 3; c++) table[4 * i + c] = Math.round(stops[k]![c]! + (at - k) * (stops[k + 1]![c]! - stops[k]![c]!));
    table[4 * i + 3] = 255;
  }
  return table;
}
