import type { FaceMesh } from '../faces/face-mesh.ts'
import { measureHead } from '../faces/measure-head.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import { measureFaceLight } from '../harmonise/measure-light.ts'
import type { FaceLightMeasure, LightMeasure } from '../harmonise/measure-light.ts'
import { halve } from '../../image/pyramid.ts'
import { cropAbout } from '../../image/raster.ts'
import type { RgbImage } from '../../image/raster.ts'
import type { ReadSubject } from '../read-subject.ts'
import type { Frame } from '../shared-frames.ts'
import { releaseMemory } from '../../release-memory.ts'
import type { Similarity } from '../../image/warp.ts'
import type { RelightPlan } from './plan-relight.ts'
import { mapMesh, relightPerson } from './relight-person.ts'

/** What the light of a person rests on, in pixels of their photo. */
interface RelitSubject extends Pick<ReadSubject, 'faceSamples' | 'light'> {
  face: { mesh: FaceMesh }
}

/**
 * Moves the light on a person in the picture's frame, in place, and measures it again.
 * @returns the measure after it; what surrounds the person stays as their photo has it
 */
export function relightSubject(
  { face, faceSamples, light }: RelitSubject,
  toPicture: Similarity,
  frame: Frame,
  plan: RelightPlan,
): LightMeasure {
  const mesh = mapMesh(face.mesh, toPicture)
  const head = measureHead(mesh)
  const person = { ...frame, mesh, head: { size: head.size, chinY: head.chin.y } }
  relightPerson({ ...person, samples: faceSamples }, plan)
  return { ...light, ...measureAgain(frame.image, mesh, head) }
}

/** Only the face is brought to the size of the measure. */
function measureAgain(image: RgbImage, mesh: FaceMesh, head: HeadMeasure): FaceLightMeasure {
  const { part, x, y } = cropAbout(image, head.centre, 0.8 * head.size)
  const moved = mapMesh(mesh, { a: 1, b: 0, tx: -x, ty: -y })
  const half = halve(part)
  const measured = measureFaceLight({ levels: [part, half] }, moved, measureHead(moved))
  releaseMemory(part.data, half.data)
  return measured
}
