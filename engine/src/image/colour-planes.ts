import type { Plane } from './raster.ts'

/** Red, green and blue of 0…255. */
export type ColourPlanes = readonly [Plane, Plane, Plane]
