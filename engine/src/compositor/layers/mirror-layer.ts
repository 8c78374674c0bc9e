import type { Point } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'
import { joinHeads } from '../faces/join-heads.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import type { Silhouette } from '../matting/silhouette.ts'
import type { SubjectLayer } from './layers.ts'
import type { ReadResult } from '../thread-messages.ts'

/** The reading and the place of a layer as if the photo had been mirrored; its pixels stay. */
export function mirrorLayer(layer: SubjectLayer): SubjectLayer {
  const { place, frame, reading } = layer
  return {
    ...layer,
    place: { ...place, left: reading.width - place.left - frame.image.width / place.scale },
    reading: mirrorReading(reading),
  }
}

function mirrorReading(reading: ReadResult): ReadResult {
  const { width, light } = reading
  const heads = reading.heads.map((head) => mirrorHead(head, width))
  return {
    ...reading,
    heads,
    head: joinHeads(heads),
    silhouette: mirrorSilhouette(reading.silhouette),
    light: { ...light, sideRatio: -light.sideRatio },
  }
}

function mirrorHead(head: HeadMeasure, width: number): HeadMeasure {
  const flip = ({ x, y }: Point): Point => ({ x: width - x, y })
  const { eyes, centre, chin, foreheadTop, oval, roll, yaw } = head
  return {
    ...head,
    eyes: flip(eyes),
    centre: flip(centre),
    chin: flip(chin),
    foreheadTop: flip(foreheadTop),
    // Clockwise again.
    oval: oval.map(flip).toReversed(),
    roll: -roll,
    yaw: -yaw,
  }
}

function mirrorSilhouette(silhouette: Silhouette): Silhouette {
  const { mask, photo, hairLeft, hairRight, cuts, seams } = silhouette
  const flip = ({ x, y }: Point): Point => ({ x: photo.width - x, y })
  return {
    ...silhouette,
    mask: mirrorPlane(mask),
    hairLeft: hairRight,
    hairRight: hairLeft,
    cuts: cuts.map(flip),
    seams: seams.map(flip),
  }
}

function mirrorPlane({ data, width, height }: BytePlane): BytePlane {
  const mirrored = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    mirrored.set(data.subarray(y * width, (y + 1) * width), y * width)
    mirrored.subarray(y * width, (y + 1) * width).reverse()
  }
  return { data: mirrored, width, height }
}
