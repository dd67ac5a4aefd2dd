/** How a client shows itself to its payees. */
export interface Brand {
  /** The name that payees know it by; left out: the client's name. */
  name?: string;
  /** The https address of a picture. */
  logo?: string;
  /** Of buttons, as #rrggbb. */
  color?: string;
  /** Where payees can ask for help. */
  supportEmail?: string;
}

const HEX = /^#[0-9a-f]{6}$/i;
/** The contrast that WCAG 2 requires of text. */
const LEAST_CONTRAST = 4.5;

/** Text on it is white, so it has to be dark enough to read it. */
export const isBrandColor = (color: string): boolean =>
  HEX.test(color) && 1.05 / (luminance(color) + 0.05) >= LEAST_CONTRAST;

/** The relative luminance of WCAG 2: 0 is black, 1 is white. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
