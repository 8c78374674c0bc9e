import { clamp } from '../../image/raster.ts'

/** Steps of a colour channel. */
const binsPerChannel = 12
/** A colour that was never counted is as usual as this. */
const unseenShare = 0.002

/** How usual each colour is; every colour counts a little for those beside it too. */
export interface ColourHistogram {
  readonly shares: Float32Array
}

/** The bin of every pixel of interleaved colours of 0…255. */
export function colourBins(colours: Float32Array): Uint16Array {
  const bins = new Uint16Array(colours.length / 3)
  for (let i = 0; i < bins.length; i++) {
    bins[i] =
      (stepOf(colours[i * 3]!) * binsPerChannel + stepOf(colours[i * 3 + 1]!)) * binsPerChannel +
      stepOf(colours[i * 3 + 2]!)
  }
  return bins
}

function stepOf(value: number): number {
  return clamp((value * binsPerChannel) / 256, 0, binsPerChannel - 1) | 0
}

/** Counts pixels by their weights. */
export function countColours(bins: Uint16Array, weights: Float32Array): ColourHistogram {
  const shares = new Float32Array(binsPerChannel ** 3)
  let total = 0
  for (let i = 0; i < bins.length; i++) {
    shares[bins[i]!]! += weights[i]!
    total += weights[i]!
  }
  for (const step of [1, binsPerChannel, binsPerChannel ** 2]) spread(shares, step)
  for (let n = 0; n < shares.length; n++) {
    shares[n] = shares[n]! / Math.max(total, 1) + unseenShare
  }
  return { shares }
}

/** Gives each bin half of its neighbours along one channel, so that shades of one colour meet. */
function spread(shares: Float32Array, step: number): void {
  const before = shares.slice()
  for (let n = 0; n < shares.length; n++) {
    const place = Math.floor(n / step) % binsPerChannel
    if (place > 0) shares[n]! += before[n - step]! / 2
    if (place < binsPerChannel - 1) shares[n]! += before[n + step]! / 2
  }
}
