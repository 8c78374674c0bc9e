import type { BytePlane } from './raster.ts'

/** A plane turned clockwise by 90° as often as said, 0 to 3. */
export function turnPlane(plane: BytePlane, quarterTurns: number): BytePlane {
  let turned = plane
  for (let turn = 0; turn < quarterTurns; turn++) turned = turnOnce(turned)
  return turned
}

function turnOnce({ data, width, height }: BytePlane): BytePlane {
  const turned = new Uint8Array(data.length)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) turned[x * height + height - 1 - y] = data[i]!
  }
  return { data: turned, width: height, height: width }
}
