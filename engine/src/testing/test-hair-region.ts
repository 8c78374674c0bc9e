import type { HairRegion } from '../compositor/matting/hair-colours.ts'
import { createBytePlane } from '../image/raster.ts'

/** Width and height of the matte about `testHairRegion`. */
export const hairRegionSize = 240

/** A head in the middle of a square matte, without a face that stays closed. */
export const testHairRegion: HairRegion = {
  headSize: 110,
  centre: { x: 120, y: 120 },
  chinY: 175,
  face: createBytePlane(hairRegionSize, hairRegionSize),
  skin: [205, 160, 135],
}
