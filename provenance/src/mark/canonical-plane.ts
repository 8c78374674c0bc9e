import sharp from 'sharp'
import { kernels, openArena } from '@starside/engine/image/kernels.ts'
import { createPlane } from '@starside/engine/image/raster.ts'
import type { Plane } from '@starside/engine/image/raster.ts'
import { releaseMemory } from '@starside/engine/release-memory.ts'
import type { RawPicture } from '@starside/engine/finish/raw-picture.ts'

/** Square root of the area of the grid on which marks are drawn and read, at any picture size. */
export const canonicalSide = 576

/** How many units of the canonical grid a pixel of such a picture has. */
export function canonicalScale(widthPx: number, heightPx: number): number {
  return canonicalSide / Math.sqrt(widthPx * heightPx)
}

/** BT.601 luma, 0 to 255, of the sRGB values on the canonical grid; `scale` in units per pixel. */
export async function readPlane(picture: RawPicture, scale: number): Promise<Plane> {
  const { pixels, widthPx, heightPx } = picture
  const width = Math.round(widthPx * scale)
  const height = Math.round(heightPx * scale)
  const rgb = await sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer()
  const plane = createPlane(width, height)
  for (let i = 0; i < plane.data.length; i++) {
    plane.data[i] = 0.299 * rgb[3 * i]! + 0.587 * rgb[3 * i + 1]! + 0.114 * rgb[3 * i + 2]!
  }
  releaseMemory(rgb)
  return plane
}

/**
 * How busy a plane is around each place: the root mean square, over the square of `2·powerRadius + 1`, of
 * the distances from the mean of that of `2·meanRadius + 1`.
 */
export function localPower(plane: Plane, meanRadius: number, powerRadius: number): Plane {
  const { arena, power } = measureDetail(plane, meanRadius, powerRadius)
  return { ...plane, data: arena.floats(power, plane.data.length).slice() }
}

/**
 * All tiles of a plane added up: these distances, each over the root mean square around it.
 * @param powerMin nothing is amplified that is calmer than this, in levels of brightness
 * @returns `tileSide` × `tileSide` values
 */
export function addTiles(
  plane: Plane,
  radii: { mean: number; power: number },
  powerMin: number,
  tileSide: number,
): Float64Array {
  const { arena, detail, power } = measureDetail(plane, radii.mean, radii.power)
  const cells = tileSide * tileSide
  const tile = arena.allocate(cells * 8)
  const { width, height } = plane
  kernels.foldTiles(detail, power, width, height, powerMin, tile, tileSide)
  return new Float64Array(arena.bytes(tile, cells * 8).slice().buffer)
}

/** Both as places in the kernels' memory. */
function measureDetail({ data, width, height }: Plane, meanRadius: number, powerRadius: number) {
  const arena = openArena()
  const source = arena.copyIn(data)
  const [detail, power, across] = [0, 0, 0].map(() => arena.allocate(data.byteLength))
  const places = [source, detail!, power!, across!, arena.allocate(width * 12)] as const
  kernels.localDetail(...places, width, height, meanRadius, powerRadius)
  return { arena, detail: detail!, power: power! }
}

/** The least value over the square of `2·radius + 1` around each place. */
export function localMinimum({ data, width, height }: Plane, radius: number): Plane {
  const arena = openArena()
  const source = arena.copyIn(data)
  const across = arena.allocate(data.byteLength)
  const target = arena.allocate(data.byteLength)
  kernels.localMinimum(source, across, target, width, height, radius)
  return { data: arena.floats(target, data.length).slice(), width, height }
}
