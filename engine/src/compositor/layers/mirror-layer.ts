import type { Point } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'
import { mirrorMesh } from '../relight/mirror-mesh.ts'
import { mirrorLight } from '../relight/spherical-harmonics.ts'
import type { Silhouette } from '../matting/silhouette.ts'
import { headsOf } from './layers.ts'
import type { LayerReading, SubjectLayer } from './layers.ts'

/** The reading and the place of a layer as if the photo had been mirrored; its pixels stay. */
export function mirrorLayer(layer: SubjectLayer): SubjectLayer {
  const { place, frame, reading } = layer
  return {
    ...layer,
    mirrored: !layer.mirrored,
    place: { ...place, left: reading.width - place.left - frame.image.width / place.scale },
    reading: mirrorReading(reading),
  }
}

/** The samples of the face stay as they were: whoever has the mirrored pixels takes new ones. */
function mirrorReading(reading: LayerReading): LayerReading {
  const { width, light, faceLight } = reading
  const meshes = reading.meshes.map((mesh) => mirrorMesh(mesh, width))
  return {
    ...reading,
    ...headsOf(meshes),
    meshes,
    silhouette: mirrorSilhouette(reading.silhouette),
    light: { ...light, sideRatio: -light.sideRatio },
    faceLight: { ...faceLight, coefficients: mirrorLight(faceLight.coefficients) },
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
