/** Linear light (0…1) of every 8-bit sRGB value. Source: IEC 61966-2-1. */
export const linearOfSrgb: Float32Array = Float32Array.from({ length: 256 }, (_, value) => {
  const v = value / 255
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
})

/** sRGB value 0…255 (not rounded) of linear light; above 1 it is cut. */
export function srgbOfLinear(linear: number): number {
  if (linear <= 0) return 0
  if (linear >= 1) return 255
  return 255 * (linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055)
}

/** Linear light in stops; what is darker than black in a photo is noise, which tells nothing. */
export function stopsOf(light: number): number {
  return Math.log2(light + 0.004)
}

/** Luminance of linear RGB (Rec. 709). */
export function luminance(r: number, g: number, b: number): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Luma of 8-bit sRGB levels (Rec. 601, rounded). */
export function lumaOf(red: number, green: number, blue: number): number {
  return 0.3 * red + 0.59 * green + 0.11 * blue
}
