/** Of colours, for the server and for the operators' pages, which get these functions as they stand. */

/** Text needs this contrast (WCAG 2.2, success criterion 1.4.3). */
export const contrastMin = 4.5

/** The contrast ratio, 1 to 21 (WCAG 2.2, "contrast ratio"), of two sRGB colours `#rrggbb`. */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** Relative luminance, 0 to 1 (WCAG 2.2, "relative luminance"). */
export function luminanceOf(colour: string): number {
  const channel = (start: number) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

/** The nearest to a colour that has the contrast to all grounds, which are all light or all dark: black or white is mixed in. */
export function passingColour(colour: string, grounds: readonly string[], least: number): string {
  const end = luminanceOf(grounds[0] ?? '') > 0.5 ? 0 : 255
  const mixedWith = (percent: number) =>
    colour.replaceAll(/[\da-f]{2}/gi, (pair) => {
      const value = Number.parseInt(pair, 16)
      const mixed = Math.round(value + ((end - value) * percent) / 100)
      return mixed.toString(16).padStart(2, '0')
    })
  const passes = (percent: number) =>
    grounds.every((ground) => contrastOf(mixedWith(percent), ground) >= least)
  return mixedWith(Array.from({ length: 100 }, (_, percent) => percent).find(passes) ?? 100)
}
