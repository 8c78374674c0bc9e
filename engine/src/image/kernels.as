/*
 * The inner loops of the compositor, in AssemblyScript (https://www.assemblyscript.org), four
 * numbers at a time by WebAssembly's 128-bit SIMD. Made into `kernels.wasm` by
 * `node engine/src/image/build-kernels.ts`.
 *
 * Every pointer is a byte offset into the module's memory, which its caller lays out; see
 * `kernels.ts` for what each function takes. Images are dense, rows from the top:
 * "rgb" has three bytes a pixel, "vectors" four floats a pixel. Stores of 16 bytes may write up
 * to 15 bytes behind the end of a target, so targets are followed by as many free bytes.
 */

// @ts-ignore: decorator
@inline
function least(a: i32, b: i32): i32 {
  return a < b ? a : b
}

// @ts-ignore: decorator
@inline
function most(a: i32, b: i32): i32 {
  return a > b ? a : b
}

/** Three bytes as floats in the first three lanes; the fourth is what lies behind them. */
// @ts-ignore: decorator
@inline
function loadColour(at: i32): v128 {
  const bytes = v128.load32_zero(at)
  return f32x4.convert_i32x4_s(
    i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes)),
  )
}

/** Averages 2×2 pixels of an rgb image. `width` and `height` are the result's. */
export function halve(
  source: i32,
  sourceWidth: i32,
  target: i32,
  width: i32,
  height: i32,
): void {
  const stride: i32 = sourceWidth * 3
  const two = i16x8.splat(2)
  for (let y = 0; y < height; y++) {
    let upper = source + 2 * y * stride
    let out = target + y * width * 3
    let x = 0
    for (; x + 4 <= width; x += 4) {
      const lower = upper + stride
      const a = v128.load(upper)
      const b = v128.load(upper, 8)
      const c = v128.load(lower)
      const d = v128.load(lower, 8)
      // Bytes 0 to 23 are eight pixels; of each pair the left one, then the right one.
      const upperLeft = i8x16.shuffle(a, b, 0, 1, 2, 6, 7, 8, 12, 13, 14, 26, 27, 28, 0, 0, 0, 0)
      const upperRight = i8x16.shuffle(a, b, 3, 4, 5, 9, 10, 11, 15, 24, 25, 29, 30, 31, 0, 0, 0, 0)
      const lowerLeft = i8x16.shuffle(c, d, 0, 1, 2, 6, 7, 8, 12, 13, 14, 26, 27, 28, 0, 0, 0, 0)
      const lowerRight = i8x16.shuffle(c, d, 3, 4, 5, 9, 10, 11, 15, 24, 25, 29, 30, 31, 0, 0, 0, 0)
      const low = i16x8.add(
        i16x8.add(i16x8.extend_low_i8x16_u(upperLeft), i16x8.extend_low_i8x16_u(upperRight)),
        i16x8.add(i16x8.extend_low_i8x16_u(lowerLeft), i16x8.extend_low_i8x16_u(lowerRight)),
      )
      const high = i16x8.add(
        i16x8.add(i16x8.extend_high_i8x16_u(upperLeft), i16x8.extend_high_i8x16_u(upperRight)),
        i16x8.add(i16x8.extend_high_i8x16_u(lowerLeft), i16x8.extend_high_i8x16_u(lowerRight)),
      )
      v128.store(
        out,
        i8x16.narrow_i16x8_u(
          i16x8.shr_u(i16x8.add(low, two), 2),
          i16x8.shr_u(i16x8.add(high, two), 2),
        ),
      )
      upper += 24
      out += 12
    }
    for (; x < width; x++) {
      for (let c: i32 = 0; c < 3; c++) {
        const sum =
          <i32>load<u8>(upper + c) +
          <i32>load<u8>(upper + c + 3) +
          <i32>load<u8>(upper + stride + c) +
          <i32>load<u8>(upper + stride + c + 3)
        store<u8>(out + c, (sum + 2) >> 2)
      }
      upper += 6
      out += 3
    }
  }
}

/** Box average over squares of 3×3 pixels of an rgb image. `width` and `height` are the result's. */
export function shrinkToThird(
  source: i32,
  sourceWidth: i32,
  target: i32,
  width: i32,
  height: i32,
): void {
  const stride: i32 = sourceWidth * 3
  const ninth = f32x4.splat(1.0 / 9.0)
  const half = f32x4.splat(0.5)
  for (let y = 0; y < height; y++) {
    let at = source + 3 * y * stride
    let out = target + y * width * 3
    for (let x = 0; x < width; x++) {
      let sum = i16x8.splat(0)
      for (let row: i32 = 0; row < 3; row++) {
        const first = i16x8.extend_low_i8x16_u(v128.load64_zero(at + row * stride))
        const last = i16x8.extend_low_i8x16_u(v128.load32_zero(at + row * stride + 6))
        // The second pixel's three lanes begin at lane 3.
        const second = i8x16.shuffle(first, first, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        sum = i16x8.add(sum, i16x8.add(first, i16x8.add(second, last)))
      }
      const mean = f32x4.add(
        f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(sum)), ninth),
        half,
      )
      const whole = i32x4.relaxed_trunc_f32x4_s(mean)
      store<u8>(out, <u8>i32x4.extract_lane(whole, 0))
      store<u8>(out + 1, <u8>i32x4.extract_lane(whole, 1))
      store<u8>(out + 2, <u8>i32x4.extract_lane(whole, 2))
      at += 9
      out += 3
    }
  }
}

/**
 * Rows of an image enlarged bicubically.
 * @param source the bytes of a row, and of as many rows as are reached
 * @param sourceBytes of a row
 * @param channels 1 or 3
 * @param rowPlaces for each row of the result four rows of the source, as byte offsets, and their four weights
 * @param columnPlaces for each column four columns of the source, as byte offsets in a line of floats, and
 *   their four weights
 * @param line takes a row of the source as floats
 */
export function enlarge(
  source: i32,
  sourceBytes: i32,
  target: i32,
  width: i32,
  rows: i32,
  channels: i32,
  rowPlaces: i32,
  columnPlaces: i32,
  line: i32,
): void {
  const half = f32x4.splat(0.5)
  let out = target
  for (let y: i32 = 0; y < rows; y++) {
    const row: i32 = rowPlaces + (y << 5)
    const a = source + load<i32>(row)
    const b = source + load<i32>(row, 4)
    const c = source + load<i32>(row, 8)
    const d = source + load<i32>(row, 12)
    const ofA = v128.load32_splat(row, 16)
    const ofB = v128.load32_splat(row, 20)
    const ofC = v128.load32_splat(row, 24)
    const ofD = v128.load32_splat(row, 28)
    for (let x: i32 = 0; x < sourceBytes; x += 4) {
      const outer = f32x4.add(f32x4.mul(loadColour(a + x), ofA), f32x4.mul(loadColour(d + x), ofD))
      const inner = f32x4.add(f32x4.mul(loadColour(b + x), ofB), f32x4.mul(loadColour(c + x), ofC))
      v128.store(line + (x << 2), f32x4.add(outer, inner))
    }
    for (let x: i32 = 0; x < width; x++) {
      const cell: i32 = columnPlaces + (x << 5)
      const outer = f32x4.add(
        f32x4.mul(v128.load(line + load<i32>(cell)), v128.load32_splat(cell, 16)),
        f32x4.mul(v128.load(line + load<i32>(cell, 12)), v128.load32_splat(cell, 28)),
      )
      const inner = f32x4.add(
        f32x4.mul(v128.load(line + load<i32>(cell, 4)), v128.load32_splat(cell, 20)),
        f32x4.mul(v128.load(line + load<i32>(cell, 8)), v128.load32_splat(cell, 24)),
      )
      const whole = i32x4.relaxed_trunc_f32x4_s(f32x4.add(f32x4.add(outer, inner), half))
      const words = i16x8.narrow_i32x4_u(whole, whole)
      // Writes into the next pixels too, which come after.
      store<i32>(out, i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0))
      out += channels
    }
  }
}

/** Mean of the pixels of each row of a plane that lie within `radius`. */
export function blurRows(
  source: i32,
  target: i32,
  width: i32,
  height: i32,
  radius: i32,
): void {
  const stride: i32 = width << 2
  for (let y = 0; y < height; y += 4) {
    // Four rows at a time, one in each lane; at the lower end rows are done twice.
    const first = least(y, most(0, height - 4))
    const a = source + first * stride
    const b = source + least(first + 1, height - 1) * stride
    const c = source + least(first + 2, height - 1) * stride
    const d = source + least(first + 3, height - 1) * stride
    const back: i32 = target - source
    let low = f64x2.splat(0)
    let high = f64x2.splat(0)
    const reach = least(radius, width - 1)
    for (let x = 0; x <= reach; x++) {
      const at: i32 = x << 2
      low = f64x2.add(low, f64x2(load<f32>(a + at), load<f32>(b + at)))
      high = f64x2.add(high, f64x2(load<f32>(c + at), load<f32>(d + at)))
    }
    let count = reach + 1
    let share = f64x2.splat(1 / <f64>count)
    for (let x = 0; x < width; x++) {
      const at: i32 = x << 2
      const means = i8x16.shuffle(
        f32x4.demote_f64x2_zero(f64x2.mul(low, share)),
        f32x4.demote_f64x2_zero(f64x2.mul(high, share)),
        0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23,
      )
      store<f32>(a + back + at, f32x4.extract_lane(means, 0))
      store<f32>(b + back + at, f32x4.extract_lane(means, 1))
      store<f32>(c + back + at, f32x4.extract_lane(means, 2))
      store<f32>(d + back + at, f32x4.extract_lane(means, 3))
      const before = count
      if (x + radius + 1 < width) {
        const next: i32 = (x + radius + 1) << 2
        let values = v128.load32_zero(a + next)
        values = v128.load_lane<f32>(b + next, values, 1)
        values = v128.load_lane<f32>(c + next, values, 2)
        values = v128.load_lane<f32>(d + next, values, 3)
        low = f64x2.add(low, f64x2.promote_low_f32x4(values))
        high = f64x2.add(high, f64x2.promote_low_f32x4(upperHalf(values)))
        count++
      }
      if (x - radius >= 0) {
        const last: i32 = (x - radius) << 2
        let values = v128.load32_zero(a + last)
        values = v128.load_lane<f32>(b + last, values, 1)
        values = v128.load_lane<f32>(c + last, values, 2)
        values = v128.load_lane<f32>(d + last, values, 3)
        low = f64x2.sub(low, f64x2.promote_low_f32x4(values))
        high = f64x2.sub(high, f64x2.promote_low_f32x4(upperHalf(values)))
        count--
      }
      if (count != before) share = f64x2.splat(1 / <f64>count)
    }
  }
}

// @ts-ignore: decorator
@inline
function upperHalf(values: v128): v128 {
  return i64x2.shuffle(values, values, 1, 1)
}

// @ts-ignore: decorator
@inline
function joinHalves(low: v128, high: v128): v128 {
  return i64x2.shuffle(
    f32x4.demote_f64x2_zero(low),
    f32x4.demote_f64x2_zero(high),
    0,
    2,
  )
}

/**
 * Mean of the pixels of each column that lie within `radius`. `width` counts floats, so it does
 * planes and vectors alike.
 * @param sums space for `width` doubles
 */
export function blurColumns(
  source: i32,
  target: i32,
  sums: i32,
  width: i32,
  height: i32,
  radius: i32,
): void {
  const stride: i32 = width << 2
  memory.fill(sums, 0, width << 3)
  const reach = least(radius, height - 1)
  for (let y = 0; y <= reach; y++) {
    const row = source + y * stride
    for (let x = 0; x < width; x++) {
      const sum = sums + (x << 3)
      store<f64>(sum, load<f64>(sum) + <f64>load<f32>(row + (x << 2)))
    }
  }
  // A row of zeros in place of what lies outside.
  const zeros = sums + (width << 3)
  memory.fill(zeros, 0, stride)
  let count = reach + 1
  for (let y = 0; y < height; y++) {
    const isNext = y + radius + 1 < height
    const isLast = y - radius >= 0
    const next = isNext ? source + (y + radius + 1) * stride : zeros
    const last = isLast ? source + (y - radius) * stride : zeros
    const out = target + y * stride
    const share = 1 / <f64>count
    const factors = f64x2.splat(share)
    let x = 0
    for (; x + 4 <= width; x += 4) {
      const at: i32 = x << 2
      const sum = sums + (x << 3)
      const low = v128.load(sum)
      const high = v128.load(sum, 16)
      v128.store(out + at, joinHalves(f64x2.mul(low, factors), f64x2.mul(high, factors)))
      const more = v128.load(next + at)
      const less = v128.load(last + at)
      v128.store(
        sum,
        f64x2.sub(
          f64x2.add(low, f64x2.promote_low_f32x4(more)),
          f64x2.promote_low_f32x4(less),
        ),
      )
      v128.store(
        sum,
        f64x2.sub(
          f64x2.add(high, f64x2.promote_low_f32x4(upperHalf(more))),
          f64x2.promote_low_f32x4(upperHalf(less)),
        ),
        16,
      )
    }
    for (; x < width; x++) {
      const at: i32 = x << 2
      const sum = load<f64>(sums + (x << 3))
      store<f32>(out + at, <f32>(sum * share))
      store<f64>(
        sums + (x << 3),
        sum + <f64>load<f32>(next + at) - <f64>load<f32>(last + at),
      )
    }
    count += (isNext ? 1 : 0) - (isLast ? 1 : 0)
  }
}

/** As `blurRows`, for vectors. */
export function blurVectorRows(
  source: i32,
  target: i32,
  width: i32,
  height: i32,
  radius: i32,
): void {
  const reach = least(radius, width - 1)
  for (let y = 0; y < height; y++) {
    const row = source + ((y * width) << 4)
    const out = target + ((y * width) << 4)
    let low = f64x2.splat(0)
    let high = f64x2.splat(0)
    for (let x = 0; x <= reach; x++) {
      const value = v128.load(row + (x << 4))
      low = f64x2.add(low, f64x2.promote_low_f32x4(value))
      high = f64x2.add(high, f64x2.promote_low_f32x4(upperHalf(value)))
    }
    let count = reach + 1
    let share = f64x2.splat(1 / <f64>count)
    for (let x = 0; x < width; x++) {
      v128.store(out + (x << 4), joinHalves(f64x2.mul(low, share), f64x2.mul(high, share)))
      const before = count
      if (x + radius + 1 < width) {
        const value = v128.load(row + ((x + radius + 1) << 4))
        low = f64x2.add(low, f64x2.promote_low_f32x4(value))
        high = f64x2.add(high, f64x2.promote_low_f32x4(upperHalf(value)))
        count++
      }
      if (x - radius >= 0) {
        const value = v128.load(row + ((x - radius) << 4))
        low = f64x2.sub(low, f64x2.promote_low_f32x4(value))
        high = f64x2.sub(high, f64x2.promote_low_f32x4(upperHalf(value)))
        count--
      }
      if (count != before) share = f64x2.splat(1 / <f64>count)
    }
  }
}

/**
 * The linear coefficients of the colour guided filter, before their own blur.
 * Source: He, Sun and Tang, "Guided Image Filtering", PAMI 2013, section 3.6.
 * @param guide rgb image
 * @param matte plane of 0…1
 * @param sums space for `width` × 13 doubles: the columns' sums of r, g, b, p, rr, rg, rb, gg, gb,
 *   bb, rp, gp, bp
 * @param target vectors: factors of red, green and blue (of colours 0…1), and the constant
 */
export function guidedCoefficients(
  guide: i32,
  matte: i32,
  sums: i32,
  target: i32,
  width: i32,
  height: i32,
  radius: i32,
  epsilon: f64,
): void {
  memory.fill(sums, 0, width * 104)
  const reachY = least(radius, height - 1)
  const reachX = least(radius, width - 1)
  for (let y = 0; y <= reachY; y++) addGuideRow(guide, matte, sums, width, y, 1)
  let rows = reachY + 1
  for (let y = 0; y < height; y++) {
    let r: f64 = 0, g: f64 = 0, b: f64 = 0, p: f64 = 0
    let rr: f64 = 0, rg: f64 = 0, rb: f64 = 0, gg: f64 = 0, gb: f64 = 0, bb: f64 = 0
    let rp: f64 = 0, gp: f64 = 0, bp: f64 = 0
    let columns = 0
    for (let x = -reachX - 1; x < width; x++) {
      const next = x + radius
      if (x >= 0 ? next < width && next > reachX : false) {
        const at = sums + next * 104
        r += load<f64>(at)
        g += load<f64>(at, 8)
        b += load<f64>(at, 16)
        p += load<f64>(at, 24)
        rr += load<f64>(at, 32)
        rg += load<f64>(at, 40)
        rb += load<f64>(at, 48)
        gg += load<f64>(at, 56)
        gb += load<f64>(at, 64)
        bb += load<f64>(at, 72)
        rp += load<f64>(at, 80)
        gp += load<f64>(at, 88)
        bp += load<f64>(at, 96)
        columns++
      } else if (x < 0) {
        // Before the first pixel: the columns 0 to `reachX`.
        const column = x + reachX + 1
        const at = sums + column * 104
        r += load<f64>(at)
        g += load<f64>(at, 8)
        b += load<f64>(at, 16)
        p += load<f64>(at, 24)
        rr += load<f64>(at, 32)
        rg += load<f64>(at, 40)
        rb += load<f64>(at, 48)
        gg += load<f64>(at, 56)
        gb += load<f64>(at, 64)
        bb += load<f64>(at, 72)
        rp += load<f64>(at, 80)
        gp += load<f64>(at, 88)
        bp += load<f64>(at, 96)
        columns++
        continue
      }
      const last = x - radius - 1
      if (last >= 0) {
        const at = sums + last * 104
        r -= load<f64>(at)
        g -= load<f64>(at, 8)
        b -= load<f64>(at, 16)
        p -= load<f64>(at, 24)
        rr -= load<f64>(at, 32)
        rg -= load<f64>(at, 40)
        rb -= load<f64>(at, 48)
        gg -= load<f64>(at, 56)
        gb -= load<f64>(at, 64)
        bb -= load<f64>(at, 72)
        rp -= load<f64>(at, 80)
        gp -= load<f64>(at, 88)
        bp -= load<f64>(at, 96)
        columns--
      }
      const share = 1 / <f64>(columns * rows)
      const mR = r * share
      const mG = g * share
      const mB = b * share
      const mP = p * share
      const sRR = rr * share - mR * mR + epsilon
      const sRG = rg * share - mR * mG
      const sRB = rb * share - mR * mB
      const sGG = gg * share - mG * mG + epsilon
      const sGB = gb * share - mG * mB
      const sBB = bb * share - mB * mB + epsilon
      const cR = rp * share - mR * mP
      const cG = gp * share - mG * mP
      const cB = bp * share - mB * mP
      // Inverse of the symmetric 3×3 matrix by cofactors.
      const i11 = sGG * sBB - sGB * sGB
      const i12 = sRB * sGB - sRG * sBB
      const i13 = sRG * sGB - sRB * sGG
      const i22 = sRR * sBB - sRB * sRB
      const i23 = sRB * sRG - sRR * sGB
      const i33 = sRR * sGG - sRG * sRG
      const inverse = 1 / Math.max(sRR * i11 + sRG * i12 + sRB * i13, 1e-18)
      const aR = (i11 * cR + i12 * cG + i13 * cB) * inverse
      const aG = (i12 * cR + i22 * cG + i23 * cB) * inverse
      const aB = (i13 * cR + i23 * cG + i33 * cB) * inverse
      const out = target + ((y * width + x) << 4)
      store<f32>(out, <f32>aR)
      store<f32>(out, <f32>aG, 4)
      store<f32>(out, <f32>aB, 8)
      store<f32>(out, <f32>(mP - aR * mR - aG * mG - aB * mB), 12)
    }
    if (y + radius + 1 < height) {
      addGuideRow(guide, matte, sums, width, y + radius + 1, 1)
      rows++
    }
    if (y - radius >= 0) {
      addGuideRow(guide, matte, sums, width, y - radius, -1)
      rows--
    }
  }
}

function addGuideRow(
  guide: i32,
  matte: i32,
  sums: i32,
  width: i32,
  y: i32,
  sign: f64,
): void {
  let at = guide + y * width * 3
  let from = matte + ((y * width) << 2)
  let sum = sums
  for (let x = 0; x < width; x++) {
    const r = <f64>load<u8>(at) * (1.0 / 255.0)
    const g = <f64>load<u8>(at + 1) * (1.0 / 255.0)
    const b = <f64>load<u8>(at + 2) * (1.0 / 255.0)
    const p = <f64>load<f32>(from)
    const sr = r * sign
    const sg = g * sign
    const sb = b * sign
    store<f64>(sum, load<f64>(sum) + sr)
    store<f64>(sum, load<f64>(sum, 8) + sg, 8)
    store<f64>(sum, load<f64>(sum, 16) + sb, 16)
    store<f64>(sum, load<f64>(sum, 24) + p * sign, 24)
    store<f64>(sum, load<f64>(sum, 32) + sr * r, 32)
    store<f64>(sum, load<f64>(sum, 40) + sr * g, 40)
    store<f64>(sum, load<f64>(sum, 48) + sr * b, 48)
    store<f64>(sum, load<f64>(sum, 56) + sg * g, 56)
    store<f64>(sum, load<f64>(sum, 64) + sg * b, 64)
    store<f64>(sum, load<f64>(sum, 72) + sb * b, 72)
    store<f64>(sum, load<f64>(sum, 80) + sr * p, 80)
    store<f64>(sum, load<f64>(sum, 88) + sg * p, 88)
    store<f64>(sum, load<f64>(sum, 96) + sb * p, 96)
    at += 3
    from += 4
    sum += 104
  }
}

/**
 * Applies coefficients of a smaller size to some rows of an image.
 * @param colours rgb rows
 * @param coefficients vectors, already scaled so that the sum with colours 0…255 is 0…255
 * @param line space for one row of vectors and one more
 * @param indices for each column: index of the left one of two coefficients (i32)
 * @param fractions for each column: fraction of the way to the right one (f32)
 * @param target plane of bytes
 */
export function applyCoefficients(
  colours: i32,
  coefficients: i32,
  smallWidth: i32,
  smallHeight: i32,
  line: i32,
  indices: i32,
  fractions: i32,
  target: i32,
  width: i32,
  height: i32,
  fromRow: i32,
  rows: i32,
): void {
  const opaque = f32x4(0, 0, 0, 1)
  const mask = i32x4(-1, -1, -1, 0)
  const half = f32x4.splat(0.5)
  for (let y = 0; y < rows; y++) {
    lerpRows(coefficients, smallWidth, smallHeight, line, height, fromRow + y)
    const row = colours + y * width * 3
    const out = target + y * width
    for (let x = 0; x < width; x++) {
      const at = line + (load<i32>(indices + (x << 2)) << 4)
      const low = v128.load(at)
      const mix = f32x4.add(
        low,
        f32x4.mul(f32x4.sub(v128.load(at, 16), low), v128.load32_splat(fractions + (x << 2))),
      )
      const colour = v128.or(v128.and(loadColour(row + x * 3), mask), opaque)
      const product = f32x4.mul(mix, colour)
      const pairs = f32x4.add(product, i32x4.shuffle(product, product, 1, 0, 3, 2))
      const sum = f32x4.add(f32x4.add(pairs, upperHalf(pairs)), half)
      const value = i32x4.extract_lane(i32x4.relaxed_trunc_f32x4_s(sum), 0)
      store<u8>(out + x, <u8>least(most(value, 0), 255))
    }
  }
}

/** One row of small vectors at the place of a row of the full size; its last one twice. */
// @ts-ignore: decorator
@inline
function lerpRows(
  vectors: i32,
  smallWidth: i32,
  smallHeight: i32,
  line: i32,
  height: i32,
  y: i32,
): void {
  const place = (<f64>y + 0.5) * <f64>smallHeight / <f64>height - 0.5
  const bounded = Math.min(Math.max(place, 0), <f64>(smallHeight - 1))
  const top = <i32>bounded
  const upper = vectors + ((top * smallWidth) << 4)
  const lower = vectors + ((least(top + 1, smallHeight - 1) * smallWidth) << 4)
  const share = f32x4.splat(<f32>(bounded - <f64>top))
  const length: i32 = smallWidth << 4
  for (let at: i32 = 0; at < length; at += 16) {
    const value = v128.load(upper + at)
    v128.store(
      line + at,
      f32x4.add(value, f32x4.mul(f32x4.sub(v128.load(lower + at), value), share)),
    )
  }
  v128.store(line + length, v128.load(line + length - 16))
}

/**
 * Weights the colours of an image for the blurs of `fuseColours`.
 * @param colours rgb image
 * @param alpha plane of 0…1
 * @param person vectors: colours times alpha, and alpha
 * @param rest vectors: colours times what is left of alpha, and that
 */
export function weightColours(
  colours: i32,
  alpha: i32,
  person: i32,
  rest: i32,
  count: i32,
): void {
  for (let i = 0; i < count; i++) {
    const colour = loadColour(colours + i * 3)
    const share = load<f32>(alpha + (i << 2))
    storeWeighted(person + (i << 4), colour, share)
    storeWeighted(rest + (i << 4), colour, <f32>1 - share)
  }
}

// @ts-ignore: decorator
@inline
function storeWeighted(at: i32, colour: v128, weight: f32): void {
  v128.store(
    at,
    f32x4.replace_lane(f32x4.mul(colour, f32x4.splat(weight + 1e-4)), 3, weight),
  )
}

/**
 * From blurred weighted colours to the person's and the background's colour at every pixel.
 * Source: Forte, "Approximate Fast Foreground Colour Estimation", ICIP 2021.
 * Works in place: `person` and `rest` become colours, not weighted any more.
 */
export function fuseColours(
  colours: i32,
  alpha: i32,
  person: i32,
  rest: i32,
  count: i32,
): void {
  const zero = f32x4.splat(0)
  const white = f32x4.splat(255)
  for (let i = 0; i < count; i++) {
    const at: i32 = i << 4
    const share = f32x4.splat(load<f32>(alpha + (i << 2)))
    const others = f32x4.sub(f32x4.splat(1), share)
    const personSum = v128.load(person + at)
    const restSum = v128.load(rest + at)
    const mean = f32x4.div(
      personSum,
      f32x4.splat(f32x4.extract_lane(personSum, 3) + 1e-4),
    )
    const behind = f32x4.div(restSum, f32x4.splat(f32x4.extract_lane(restSum, 3) + 1e-4))
    const missing = f32x4.sub(
      loadColour(colours + i * 3),
      f32x4.add(f32x4.mul(share, mean), f32x4.mul(others, behind)),
    )
    const fused = f32x4.add(mean, f32x4.mul(share, missing))
    v128.store(person + at, f32x4.max(zero, f32x4.min(white, fused)))
    v128.store(rest + at, behind)
  }
}

/**
 * Blends some rows of a picture; see `blend.ts` for what is done and why.
 * @param params the addresses and numbers in the order in which they are read here
 */
export function blendRows(params: i32): void {
  const backColours = load<i32>(params)
  const backAlphas = load<i32>(params, 4)
  const backTables = load<i32>(params, 8)
  const frontColours = load<i32>(params, 12)
  const frontAlphas = load<i32>(params, 16)
  const frontTables = load<i32>(params, 20)
  const background = load<i32>(params, 24)
  const backgroundWidth = load<i32>(params, 28)
  const backgroundHeight = load<i32>(params, 32)
  const backgroundIndices = load<i32>(params, 36)
  const backgroundFractions = load<i32>(params, 40)
  const soft = load<i32>(params, 44)
  const softWidth = load<i32>(params, 48)
  const softHeight = load<i32>(params, 52)
  const softIndices = load<i32>(params, 56)
  const softFractions = load<i32>(params, 60)
  const noise = load<i32>(params, 64)
  const backgroundLine = load<i32>(params, 68)
  const softLine = load<i32>(params, 72)
  const target = load<i32>(params, 76)
  const width = load<i32>(params, 80)
  const height = load<i32>(params, 84)
  const fromRow = load<i32>(params, 88)
  const rows = load<i32>(params, 92)
  const grain = load<f32>(params, 96)
  const vignette = load<f32>(params, 100)
  const shadowStrength = load<f32>(params, 104)
  const zero = f32x4.splat(0)
  const halfWidth = <f32>width / 2
  const halfHeight = <f32>height / 2
  const corner: f32 = <f32>1 / (halfWidth * halfWidth + halfHeight * halfHeight)
  let i = 0
  for (let row = 0; row < rows; row++) {
    const y = fromRow + row
    lerpRows(background, backgroundWidth, backgroundHeight, backgroundLine, height, y)
    lerpRows(soft, softWidth, softHeight, softLine, height, y)
    const dy = (<f32>y - halfHeight) * (<f32>y - halfHeight)
    const noiseRow = (y * 7919) & 0xffff
    for (let x = 0; x < width; x++, i++) {
      const column: i32 = x << 2
      const dx = <f32>x - halfWidth
      const away = (dx * dx + dy) * corner
      const lens = <f32>1 - vignette * away * away
      const backAlpha = <f32>load<u8>(backAlphas + i) * <f32>(1.0 / 255.0)
      const frontAlpha = <f32>load<u8>(frontAlphas + i) * <f32>(1.0 / 255.0)
      let colour = zero
      if (frontAlpha < 1) {
        colour = lerpPixel(backgroundLine, backgroundIndices, backgroundFractions, column)
        if (backAlpha > 0) {
          const own = paintPixel(backColours + i * 3, backTables)
          const shadow = lerpPixel(softLine, softIndices, softFractions, column)
          const shade = <f32>1 - shadowStrength * f32x4.extract_lane(shadow, 0)
          colour = mixTo(colour, f32x4.mul(own, f32x4.splat(shade)), backAlpha)
        }
      }
      if (frontAlpha > 0) {
        const own = paintPixel(frontColours + i * 3, frontTables)
        colour = mixTo(colour, own, frontAlpha)
      }
      // Noise is strongest in the middle tones and fades in the lights.
      const light =
        (f32x4.extract_lane(colour, 0) +
          2 * f32x4.extract_lane(colour, 1) +
          f32x4.extract_lane(colour, 2)) *
        <f32>(1.0 / 1020.0)
      const speck = load<f32>(noise + (((noiseRow + x) & 0xffff) << 2))
      const grit = speck * grain * (<f32>1.15 - <f32>0.6 * light) + <f32>0.5
      const final = i32x4.relaxed_trunc_f32x4_s(
        f32x4.add(f32x4.mul(colour, f32x4.splat(lens)), f32x4.splat(grit)),
      )
      const words = i16x8.narrow_i32x4_u(final, final)
      const bytes = i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0)
      // Writes the next pixel's first byte too, which comes after.
      store<i32>(target + i * 3, bytes)
    }
  }
}

// @ts-ignore: decorator
@inline
function lerpPixel(line: i32, indices: i32, fractions: i32, column: i32): v128 {
  const at = line + (load<i32>(indices + column) << 4)
  const low = v128.load(at)
  return f32x4.add(
    low,
    f32x4.mul(f32x4.sub(v128.load(at, 16), low), v128.load32_splat(fractions + column)),
  )
}

/** A pixel under its gain: a table of 256 numbers for each channel. */
// @ts-ignore: decorator
@inline
function paintPixel(colours: i32, tables: i32): v128 {
  const red = v128.load32_zero(tables + (<i32>load<u8>(colours) << 2))
  const green = load<f32>(tables + (<i32>load<u8>(colours, 1) << 2), 1024)
  const blue = load<f32>(tables + (<i32>load<u8>(colours, 2) << 2), 2048)
  return f32x4.replace_lane(f32x4.replace_lane(red, 1, green), 2, blue)
}

// @ts-ignore: decorator
@inline
function mixTo(from: v128, to: v128, share: f32): v128 {
  return f32x4.add(from, f32x4.mul(f32x4.sub(to, from), f32x4.splat(share)))
}

/**
 * How far each value of a plane is from the mean around it, and the root of these distances' mean square.
 * @param detail takes the distances
 * @param power takes the roots
 * @param across as large as the plane
 * @param sums 12 bytes for each column
 */
export function localDetail(
  source: i32,
  detail: i32,
  power: i32,
  across: i32,
  sums: i32,
  width: i32,
  height: i32,
  meanRadius: i32,
  powerRadius: i32,
): void {
  const bytes: i32 = (width * height) << 2
  blurRows(source, across, width, height, meanRadius)
  blurColumns(across, detail, sums, width, height, meanRadius)
  for (let i: i32 = 0; i < bytes; i += 4) {
    const value = load<f32>(source + i) - load<f32>(detail + i)
    store<f32>(detail + i, value)
    store<f32>(power + i, value * value)
  }
  blurRows(power, across, width, height, powerRadius)
  blurColumns(across, power, sums, width, height, powerRadius)
  for (let i: i32 = 0; i < bytes; i += 4) {
    // Running sums may end a hair below zero.
    const square = load<f32>(power + i)
    store<f32>(power + i, square > 0 ? sqrt<f32>(square) : 0)
  }
}

/**
 * Adds up all tiles of a plane of distances, each brought to the same power.
 * @param power their size; nothing smaller than `powerMin` is amplified
 * @param tile a square of doubles
 */
export function foldTiles(
  detail: i32,
  power: i32,
  width: i32,
  height: i32,
  powerMin: f64,
  tile: i32,
  tileSide: i32,
): void {
  memory.fill(tile, 0, (tileSide * tileSide) << 3)
  for (let y: i32 = 0, i: i32 = 0; y < height; y++) {
    const row: i32 = tile + (((y % tileSide) * tileSide) << 3)
    for (let x: i32 = 0; x < width; x++, i += 4) {
      const at: i32 = row + ((x % tileSide) << 3)
      const share = <f64>load<f32>(detail + i) / (<f64>load<f32>(power + i) + powerMin)
      store<f64>(at, load<f64>(at) + share)
    }
  }
}

/** The least value of a plane within `radius` of each pixel, to both sides and up and down. */
export function localMinimum(
  source: i32,
  across: i32,
  target: i32,
  width: i32,
  height: i32,
  radius: i32,
): void {
  for (let y = 0; y < height; y++) {
    const row: i32 = y * width
    for (let x = 0; x < width; x++) {
      for (; x >= radius && x + 4 + radius <= width; x += 4) {
        const at: i32 = source + ((row + x) << 2)
        let values = v128.load(at)
        for (let away: i32 = 4; away <= radius << 2; away += 4) {
          values = f32x4.min(values, f32x4.min(v128.load(at - away), v128.load(at + away)))
        }
        v128.store(across + ((row + x) << 2), values)
      }
      const last = least(width - 1, x + radius)
      let value: f32 = f32.MAX_VALUE
      for (let i = most(0, x - radius); i <= last; i++) {
        value = min<f32>(value, load<f32>(source + ((row + i) << 2)))
      }
      store<f32>(across + ((row + x) << 2), value)
    }
  }
  for (let y = 0; y < height; y++) {
    const first = most(0, y - radius)
    const last = least(height - 1, y + radius)
    for (let x = 0; x < width; x += 4) {
      let values = f32x4.splat(f32.MAX_VALUE)
      for (let i = first; i <= last; i++) {
        values = f32x4.min(values, v128.load(across + ((i * width + x) << 2)))
      }
      v128.store(target + ((y * width + x) << 2), values)
    }
  }
}

/**
 * Adds a tile to rows of an rgb image; see `add-tile.ts`.
 * @param tile a square plane
 * @param rowPlaces for each row four rows of the tile, their four weights, and between which two rows of
 *   the mask it lies: the first, and the share of the second
 * @param columnPlaces the same for each column
 * @param lines takes a row of the tile and one of the mask
 * @param state of the dither
 * @returns the state after these rows
 */
export function addTile(
  source: i32,
  target: i32,
  width: i32,
  rows: i32,
  tile: i32,
  tileSide: i32,
  rowPlaces: i32,
  columnPlaces: i32,
  mask: i32,
  maskWidth: i32,
  lines: i32,
  strength: f32,
  state: i32,
): i32 {
  const tileBytes: i32 = tileSide << 2
  const maskBytes: i32 = maskWidth << 2
  const maskLine: i32 = lines + tileBytes
  let at = source
  let out = target
  for (let row: i32 = 0; row < rows; row++) {
    const place: i32 = rowPlaces + row * 40
    for (let x: i32 = 0; x < tileBytes; x += 4) {
      let sum: f32 = 0
      for (let i: i32 = 0; i < 16; i += 4) {
        sum += load<f32>(place + i, 16) * load<f32>(tile + load<i32>(place + i) * tileBytes + x)
      }
      store<f32>(lines + x, sum)
    }
    const upper: i32 = mask + load<i32>(place, 32) * maskBytes
    const part = load<f32>(place, 36)
    for (let x: i32 = 0; x < maskBytes; x += 4) {
      const above = load<f32>(upper + x)
      const below = load<f32>(upper + maskBytes + x)
      store<f32>(maskLine + x, strength * (above + (below - above) * part))
    }
    for (let x: i32 = 0; x < width; x++, at += 3, out += 3) {
      const cell: i32 = columnPlaces + x * 40
      const pattern =
        load<f32>(cell, 16) * load<f32>(lines + (load<i32>(cell) << 2)) +
        load<f32>(cell, 20) * load<f32>(lines + (load<i32>(cell, 4) << 2)) +
        load<f32>(cell, 24) * load<f32>(lines + (load<i32>(cell, 8) << 2)) +
        load<f32>(cell, 28) * load<f32>(lines + (load<i32>(cell, 12) << 2))
      const left = maskLine + (load<i32>(cell, 32) << 2)
      const near = load<f32>(left)
      const levels = near + (load<f32>(left, 4) - near) * load<f32>(cell, 36)
      // Numerical Recipes' linear congruential generator; its upper bits are random enough here.
      state = state * 1664525 + 1013904223
      const change = pattern * levels + <f32>state * <f32>(1.0 / 4294967296.0)
      // The same in all channels changes the brightness alone.
      const changed = f32x4.nearest(f32x4.add(loadColour(at), f32x4.splat(change)))
      const whole = i32x4.relaxed_trunc_f32x4_s(changed)
      const words = i16x8.narrow_i32x4_u(whole, whole)
      // Writes the next pixel's first byte too, which comes after.
      store<i32>(out, i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0))
    }
  }
  return state
}

/**
 * Discrete Fourier transform of a line of a square, in place (Cooley and Tukey 1965, radix 2).
 * @param real, imaginary doubles, the line's first ones
 * @param stride bytes from one of the line to the next
 * @param side how many there are, a power of two
 * @param turns cosines and sines of a half turn's parts, by how many parts: those of n begin at n
 * @param sign 1 from places to frequencies, -1 back
 */
export function transformLine(
  real: i32,
  imaginary: i32,
  stride: i32,
  side: i32,
  turns: i32,
  sign: f64,
): void {
  for (let i = 1, j = 0; i < side; i++) {
    let bit = side >> 1
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit
    j ^= bit
    if (i >= j) continue
    swapNumbers(real + i * stride, real + j * stride)
    swapNumbers(imaginary + i * stride, imaginary + j * stride)
  }
  for (let half = 1; half < side; half *= 2) {
    for (let k = 0; k < half; k++) {
      const cosine = load<f64>(turns + ((half + k) << 4))
      const sine = -sign * load<f64>(turns + ((half + k) << 4), 8)
      for (let group = k; group < side; group += 2 * half) {
        const a = group * stride
        const b = a + half * stride
        const re = load<f64>(real + b) * cosine - load<f64>(imaginary + b) * sine
        const im = load<f64>(real + b) * sine + load<f64>(imaginary + b) * cosine
        store<f64>(real + b, load<f64>(real + a) - re)
        store<f64>(imaginary + b, load<f64>(imaginary + a) - im)
        store<f64>(real + a, load<f64>(real + a) + re)
        store<f64>(imaginary + a, load<f64>(imaginary + a) + im)
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function swapNumbers(one: i32, other: i32): void {
  const value = load<f64>(one)
  store<f64>(one, load<f64>(other))
  store<f64>(other, value)
}

/**
 * Fills bytes with the sums of four uniform numbers each, by xorshift32 (Marsaglia 2003).
 * @returns the state to go on with
 */
export function fillNoise(target: i32, count: i32, state: i32): i32 {
  for (let i: i32 = 0; i < count; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    const sum: i32 = (state & 255) + ((state >>> 8) & 255) + ((state >>> 16) & 255) + (state >>> 24)
    store<u8>(target + i, sum >> 2)
  }
  return state
}

/**
 * Develops rows of an rgb image; see `develop-look.ts`.
 * @param grain a byte for each pixel
 * @param tables for each of 256 levels: what a grey of it becomes, a vector; then, floats, what red and
 *   blue are before, and how much grain it shows
 * @param across for each column the squared distance from the middle
 * @param down for each row the same
 * @param numbers two vectors: how much each channel counts, and how much of its colour stays; then
 *   the vignette, and the grain's mean and gain
 */
export function develop(
  source: i32,
  target: i32,
  grain: i32,
  width: i32,
  rows: i32,
  tables: i32,
  across: i32,
  down: i32,
  numbers: i32,
): void {
  const redWeight = load<f32>(numbers)
  const greenWeight = load<f32>(numbers, 4)
  const blueWeight = load<f32>(numbers, 8)
  const kept = v128.load(numbers, 16)
  const vignette = load<f32>(numbers, 32)
  const mean = load<f32>(numbers, 36)
  const gain = load<f32>(numbers, 40)
  const half = f32x4.splat(0.5)
  let at = source
  let out = target
  let n = grain
  for (let row: i32 = 0; row < rows; row++) {
    const away = load<f32>(down + (row << 2))
    for (let x: i32 = 0; x < width; x++, n++, at += 3, out += 3) {
      const red = load<f32>(tables + (<i32>load<u8>(at) << 2), 4096)
      const green = <f32>load<u8>(at, 1)
      const blue = load<f32>(tables + (<i32>load<u8>(at, 2) << 2), 5120)
      const sum = redWeight * red + greenWeight * green + blueWeight * blue
      const luma: f32 = sum < 255 ? sum : 255
      const tone = v128.load(tables + (<i32>(luma + <f32>0.5) << 4))
      const shade = <f32>1 - vignette * (away + load<f32>(across + (x << 2)))
      const middle = <i32>(f32x4.extract_lane(tone, 1) * shade)
      const speck = (<f32>load<u8>(n) - mean) * gain
      const added = speck * load<f32>(tables + (middle << 2), 6144)
      const own = f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(red), 1, green), 2, blue)
      const toned = f32x4.add(tone, f32x4.mul(kept, f32x4.sub(own, f32x4.splat(luma))))
      const lit = f32x4.add(f32x4.mul(toned, f32x4.splat(shade)), f32x4.splat(added))
      const whole = i32x4.relaxed_trunc_f32x4_s(f32x4.add(lit, half))
      const words = i16x8.narrow_i32x4_u(whole, whole)
      const bytes = i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0)
      // Writes the next pixel's first byte too, which comes after.
      store<i32>(out, bytes)
    }
  }
}

/** Parts four bytes a pixel into an rgb image and a byte of alpha each. */
export function splitAlpha(source: i32, colours: i32, alphas: i32, count: i32): void {
  for (let i: i32 = 0; i < count; i += 4) {
    const pixels = v128.load(source + (i << 2))
    const parted = i8x16.shuffle(
      pixels,
      pixels,
      0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15,
    )
    // Writes the alphas behind the colours too, where the next pixels come.
    v128.store(colours + i * 3, parted)
    store<i32>(alphas + i, i32x4.extract_lane(parted, 3))
  }
}

/**
 * Averages of what is known of a picture, over 2×2 pixels; at odd sides the last one counts alone.
 * @param colours vectors
 * @param weights floats: 1 where it is known
 * @param target, targetWeights the same at half the size, rounded up
 */
export function pullColours(
  colours: i32,
  weights: i32,
  width: i32,
  height: i32,
  target: i32,
  targetWeights: i32,
): void {
  const halfWidth: i32 = (width + 1) >> 1
  const halfHeight: i32 = (height + 1) >> 1
  for (let y: i32 = 0, out: i32 = 0; y < halfHeight; y++) {
    for (let x: i32 = 0; x < halfWidth; x++, out++) {
      let sum = f32x4.splat(0)
      let weight: f32 = 0
      for (let n: i32 = 0; n < 4; n++) {
        const column: i32 = 2 * x + (n & 1)
        const row: i32 = 2 * y + (n >> 1)
        if (column >= width || row >= height) continue
        const i: i32 = row * width + column
        const own = load<f32>(weights + (i << 2))
        sum = f32x4.add(sum, f32x4.mul(v128.load(colours + (i << 4)), f32x4.splat(own)))
        weight += own
      }
      if (weight > 0) sum = f32x4.div(sum, f32x4.splat(weight))
      v128.store(target + (out << 4), sum)
      store<f32>(targetWeights + (out << 2), min<f32>(1, weight))
    }
  }
}

/** Takes from the picture at half the size, bilinearly, what isn't known; in place. See `pullColours`. */
export function pushColours(
  colours: i32,
  weights: i32,
  width: i32,
  height: i32,
  coarse: i32,
): void {
  const coarseWidth: i32 = (width + 1) >> 1
  const lastX: i32 = coarseWidth - 1
  const lastY: i32 = ((height + 1) >> 1) - 1
  const far = f32x4.splat(0.25)
  const near = f32x4.splat(0.75)
  for (let y: i32 = 0, i: i32 = 0; y < height; y++) {
    // A pixel lies a quarter from the middle of its own square, towards the next one.
    const row: i32 = y >> 1
    const next = most(0, least(lastY, (y & 1) === 0 ? row - 1 : row + 1))
    const own: i32 = coarse + ((row * coarseWidth) << 4)
    const other: i32 = coarse + ((next * coarseWidth) << 4)
    for (let x: i32 = 0; x < width; x++, i++) {
      const weight = load<f32>(weights + (i << 2))
      if (weight >= 1) continue
      const column: i32 = (x >> 1) << 4
      const beside: i32 = most(0, least(lastX, (x & 1) === 0 ? (x >> 1) - 1 : (x >> 1) + 1)) << 4
      const upper = f32x4.add(
        f32x4.mul(v128.load(own + column), near),
        f32x4.mul(v128.load(own + beside), far),
      )
      const lower = f32x4.add(
        f32x4.mul(v128.load(other + column), near),
        f32x4.mul(v128.load(other + beside), far),
      )
      const guess = f32x4.add(f32x4.mul(upper, near), f32x4.mul(lower, far))
      const at: i32 = colours + (i << 4)
      v128.store(
        at,
        f32x4.add(
          f32x4.mul(v128.load(at), f32x4.splat(weight)),
          f32x4.mul(guess, f32x4.splat(<f32>1 - weight)),
        ),
      )
    }
  }
}

/**
 * Samples bilinearly where the rows and columns of a grid cross, as floats.
 * @param source bytes of an rgb image, or floats of a plane where `sampleBytes` is 4
 * @param sampleBytes from one sample to the next: 12 for three floats, 16 for vectors
 * @param rows for each row two rows of the source, as byte offsets, and the share of the second
 * @param columns the same for columns
 * @param factor on all of it
 */
export function sampleGrid(
  source: i32,
  sampleBytes: i32,
  target: i32,
  width: i32,
  height: i32,
  rows: i32,
  columns: i32,
  factor: f32,
): void {
  let out = target
  for (let y: i32 = 0; y < height; y++) {
    const row: i32 = rows + y * 12
    const upper = source + load<i32>(row)
    const lower = source + load<i32>(row, 4)
    const down = load<f32>(row, 8)
    for (let x: i32 = 0; x < width; x++) {
      const column: i32 = columns + x * 12
      const left = load<i32>(column)
      const right = load<i32>(column, 4)
      const across = load<f32>(column, 8)
      if (sampleBytes > 4) {
        const share = f32x4.splat(across)
        const a = loadColour(upper + left)
        const b = loadColour(lower + left)
        const top = f32x4.add(a, f32x4.mul(f32x4.sub(loadColour(upper + right), a), share))
        const bottom = f32x4.add(b, f32x4.mul(f32x4.sub(loadColour(lower + right), b), share))
        const mixed = f32x4.add(top, f32x4.mul(f32x4.sub(bottom, top), f32x4.splat(down)))
        // May write the next pixel's first number too, which comes after.
        v128.store(out, f32x4.mul(mixed, f32x4.splat(factor)))
      } else {
        const a = load<f32>(upper + left)
        const b = load<f32>(lower + left)
        const top = a + (load<f32>(upper + right) - a) * across
        const bottom = b + (load<f32>(lower + right) - b) * across
        store<f32>(out, factor * (top + (bottom - top) * down))
      }
      out += sampleBytes
    }
  }
}

// @ts-ignore: decorator
@inline
function smoothstep(low: f32, high: f32, value: f32): f32 {
  const t = min<f32>(1, max<f32>(0, (value - low) / (high - low)))
  return t * t * (3 - 2 * t)
}

/** Bilinear value of a plane at a point from the middle of its first pixel; the edge is repeated. */
// @ts-ignore: decorator
@inline
function bilinear(plane: i32, width: i32, height: i32, x: f64, y: f64): f32 {
  const sx = min<f64>(<f64>(width - 1), max<f64>(0, x))
  const sy = min<f64>(<f64>(height - 1), max<f64>(0, y))
  const left = <i32>sx
  const upper = <i32>sy
  const across = <f32>(sx - <f64>left)
  const at: i32 = plane + ((upper * width + left) << 2)
  const right: i32 = left < width - 1 ? 4 : 0
  const below: i32 = upper < height - 1 ? width << 2 : 0
  const a = load<f32>(at)
  const b = load<f32>(at + below)
  const top = a + (load<f32>(at + right) - a) * across
  const bottom = b + (load<f32>(at + below + right) - b) * across
  return top + (bottom - top) * <f32>(sy - <f64>upper)
}

/**
 * Adds a crop to what closer ones have left of a matte; see `join-crops.ts`.
 * @param hidden how much closer crops have taken of each pixel
 * @param range its columns and rows: left, right, top, bottom
 * @param numbers doubles: x and y of the region's corner, and its sides; from a pixel of the matte to the
 *   photo xx, xy, x0, yx, yy, y0; how far the crop fades; and by how much it is open to the left, the top,
 *   the right and the bottom
 */
export function addCrop(
  crop: i32,
  cropWidth: i32,
  cropHeight: i32,
  matte: i32,
  hidden: i32,
  width: i32,
  range: i32,
  numbers: i32,
): void {
  const regionWidth = load<f64>(numbers, 16)
  const regionHeight = load<f64>(numbers, 24)
  const fade = load<f64>(numbers, 80)
  const scaleX = <f64>cropWidth / regionWidth
  const scaleY = <f64>cropHeight / regionHeight
  const right = load<i32>(range, 4)
  const bottom = load<i32>(range, 12)
  for (let y = load<i32>(range, 8); y < bottom; y++) {
    const down = <f64>y + 0.5
    const rowX = load<f64>(numbers, 40) * down + load<f64>(numbers, 48) - load<f64>(numbers)
    const rowY = load<f64>(numbers, 64) * down + load<f64>(numbers, 72) - load<f64>(numbers, 8)
    for (let x = load<i32>(range); x < right; x++) {
      const i: i32 = (y * width + x) << 2
      const before = load<f32>(hidden + i)
      if (before === 1) continue
      const px = load<f64>(numbers, 32) * (<f64>x + 0.5) + rowX
      const py = load<f64>(numbers, 56) * (<f64>x + 0.5) + rowY
      if (px < 0 || py < 0 || px >= regionWidth || py >= regionHeight) continue
      const insideX = min<f64>(
        px - load<f64>(numbers, 88),
        regionWidth - px + load<f64>(numbers, 104),
      )
      const insideY = min<f64>(
        py - load<f64>(numbers, 96),
        regionHeight - py + load<f64>(numbers, 112),
      )
      const inside = min<f64>(insideX, insideY)
      const share: f32 = inside >= fade ? 1 : smoothstep(0, <f32>fade, <f32>inside)
      const weight = (<f32>1 - before) * share
      const value = bilinear(crop, cropWidth, cropHeight, px * scaleX - 0.5, py * scaleY - 0.5)
      store<f32>(matte + i, load<f32>(matte + i) + value * weight)
      store<f32>(hidden + i, inside >= fade ? 1 : before + weight)
    }
  }
}

/**
 * The median of what crops say where they cover a grid, made decided; see `merge-crops.ts`.
 * @param crops for each, at 48 bytes: its plane, width and height, a free word, and doubles: x and y of
 *   its region's corner, and its sides; the first one's region is the grid's
 * @param votes space for a float of each crop
 * @param range what is background and what is person, of more than one vote: two floats
 */
export function medianOfCrops(
  crops: i32,
  count: i32,
  target: i32,
  width: i32,
  height: i32,
  votes: i32,
  range: i32,
): void {
  for (let y: i32 = 0, out = target; y < height; y++) {
    const py = load<f64>(crops, 24) + ((<f64>y + 0.5) / <f64>height) * load<f64>(crops, 40)
    for (let x: i32 = 0; x < width; x++, out += 4) {
      const px = load<f64>(crops, 16) + ((<f64>x + 0.5) / <f64>width) * load<f64>(crops, 32)
      let length: i32 = 0
      for (let n: i32 = 0; n < count; n++) {
        const crop: i32 = crops + n * 48
        const u = (px - load<f64>(crop, 16)) / load<f64>(crop, 32)
        const v = (py - load<f64>(crop, 24)) / load<f64>(crop, 40)
        if (n > 0 && (u <= 0 || v <= 0 || u >= 1 || v >= 1)) continue
        const columns = load<i32>(crop, 4)
        const rows = load<i32>(crop, 8)
        const right = u * <f64>columns - 0.5
        const vote = bilinear(load<i32>(crop), columns, rows, right, v * <f64>rows - 0.5)
        let at: i32 = length++
        for (; at > 0 && load<f32>(votes + ((at - 1) << 2)) > vote; at--) {
          store<f32>(votes + (at << 2), load<f32>(votes + ((at - 1) << 2)))
        }
        store<f32>(votes + (at << 2), vote)
      }
      const lower = load<f32>(votes + (((length - 1) >> 1) << 2))
      if (length === 1) {
        store<f32>(out, lower)
        continue
      }
      const middle = (lower + load<f32>(votes + ((length >> 1) << 2))) / 2
      store<f32>(out, smoothstep(load<f32>(range), load<f32>(range, 4), middle))
    }
  }
}

/**
 * Adds up the colours of the person in squares of eight pixels, of every other pixel in both directions.
 * @param target for each square a vector: sums of red, green, blue and alpha; `rows` at most eight
 */
export function sumPerson(
  colours: i32,
  alphas: i32,
  width: i32,
  rows: i32,
  target: i32,
): void {
  memory.fill(target, 0, ((width + 7) >> 3) << 4)
  for (let y: i32 = 0; y < rows; y += 2) {
    for (let x: i32 = 0; x < width; x += 2) {
      const i: i32 = y * width + x
      const alpha: f32 = load<u8>(alphas + i)
      if (alpha < 128) continue
      const at: i32 = target + ((x >> 3) << 4)
      const colour = f32x4.replace_lane(loadColour(colours + i * 3), 3, 1)
      v128.store(at, f32x4.add(v128.load(at), f32x4.mul(colour, f32x4.splat(alpha))))
    }
  }
}

/** Gives pixels without alpha the colours of their squares of eight: vectors of whole numbers. */
export function fillBehind(
  colours: i32,
  alphas: i32,
  width: i32,
  rows: i32,
  squares: i32,
): void {
  for (let y: i32 = 0; y < rows; y++) {
    for (let x: i32 = 0; x < width; x++) {
      const i: i32 = y * width + x
      if (load<u8>(alphas + i) !== 0) continue
      const at: i32 = squares + ((x >> 3) << 4)
      store<u8>(colours + i * 3, load<u8>(at))
      store<u8>(colours + i * 3, load<u8>(at, 4), 1)
      store<u8>(colours + i * 3, load<u8>(at, 8), 2)
    }
  }
}
