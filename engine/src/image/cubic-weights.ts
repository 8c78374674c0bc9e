/** Weights of the four values around a place, which lies `t` (0…1) behind the second (Keys 1981, a = -1/2). */
export function cubicWeights(t: number): number[] {
  return [
    -0.5 * t ** 3 + t ** 2 - 0.5 * t,
    1.5 * t ** 3 - 2.5 * t ** 2 + 1,
    -1.5 * t ** 3 + 2 * t ** 2 + 0.5 * t,
    0.5 * t ** 3 - 0.5 * t ** 2,
  ]
}
