import { kernels, openArena } from '@starside/engine/image/kernels.ts'

/** A square of complex numbers, rows from the top. */
export type ComplexSquare = { real: Float64Array; imaginary: Float64Array; side: number }

/** Cosine and sine of each part of a half turn, by how many parts there are: those of n begin at n. */
const turns = new Float64Array(512)
for (let parts = 1; parts < 256; parts *= 2) {
  for (let part = 0; part < parts; part++) {
    const angle = (Math.PI * part) / parts
    turns.set([Math.cos(angle), Math.sin(angle)], 2 * (parts + part))
  }
}

/** 2D discrete Fourier transform in place, unscaled; side: a power of two ≤ 256; -1 goes back. */
export function transform({ real, imaginary, side }: ComplexSquare, direction: 1 | -1): void {
  const arena = openArena()
  const bytesOf = (values: Float64Array) => new Uint8Array(values.buffer)
  const turnsAt = arena.copyIn(bytesOf(turns))
  const [realAt, imaginaryAt] = [arena.copyIn(bytesOf(real)), arena.copyIn(bytesOf(imaginary))]
  for (const [step, stride] of [
    [side * 8, 8],
    [8, side * 8],
  ] as const) {
    for (let at = 0; at < side * step; at += step) {
      kernels.transformLine(realAt + at, imaginaryAt + at, stride, side, turnsAt, direction)
    }
  }
  bytesOf(real).set(arena.bytes(realAt, real.byteLength))
  bytesOf(imaginary).set(arena.bytes(imaginaryAt, imaginary.byteLength))
}
