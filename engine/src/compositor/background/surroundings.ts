import { gaussianBlur } from '../../image/box-blur.ts'
import type { ColourPlanes } from '../../image/colour-planes.ts'
import type { Plane } from '../../image/raster.ts'
import { resizePlane } from '../../image/sample-plane.ts'

const shrink = 4
/** How far the light of a place reaches, in picture heights. */
const reach = 0.05

/** The light about every place of a background, at a quarter of its size, of its linear radiance. */
export function lightAround([red, green, blue]: ColourPlanes): ColourPlanes {
  const about = (plane: Plane): Plane => {
    const { width, height } = plane
    const blurred = gaussianBlur(plane, reach * height)
    return resizePlane(blurred, Math.ceil(width / shrink), Math.ceil(height / shrink))
  }
  return [about(red), about(green), about(blue)]
}
