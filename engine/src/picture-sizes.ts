import type { Aspect } from './image-provider.ts'

/** Width and height of the pictures that the compositor makes, in pixels. */
export const pictureSizes: Record<
  Aspect,
  Record<'standard' | 'high', readonly [number, number]>
> = {
  '4:5': { standard: [1024, 1280], high: [1536, 1920] },
  '1:1': { standard: [1152, 1152], high: [1728, 1728] },
  '4:3': { standard: [1344, 1008], high: [1792, 1344] },
  '16:9': { standard: [1536, 864], high: [2048, 1152] },
  '9:16': { standard: [864, 1536], high: [1152, 2048] },
}
