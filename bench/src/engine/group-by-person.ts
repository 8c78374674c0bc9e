import { readFile } from 'node:fs/promises'
import { createEngine } from '@starside/engine/engine.ts'
import { faceDistance, openFaceNetwork } from '@starside/server/selfies/likeness/face-network.ts'

/** Below the 0.6 where strangers begin for one photo, as it is held against the mean of several. */
const sameMax = 0.55

/**
 * Each person's photos by their largest face; one without a face is alone. Needs the packages of
 * `server/face-network`.
 */
export async function groupByPerson(files: readonly string[]): Promise<string[][]> {
  const engine = createEngine()
  const describe = await openFaceNetwork()
  const people: { files: string[]; faces: Float32Array[] }[] = []
  for (const file of files) {
    const bytes = await readFile(file)
    // What is refused is refused again when it is to become a picture, and told there.
    const found = await engine
      .normalise(bytes)
      .then((photo) => engine.cropFaces(photo))
      .catch(() => [])
    const [largest] = found.toSorted((one, other) => other.headSizePx - one.headSizePx)
    const [face] = largest === undefined ? [] : await describe(largest.crop)
    const known = face && people.find(({ faces }) => meanDistance(faces, face) < sameMax)
    if (known) {
      known.files.push(file)
      known.faces.push(face)
    } else people.push({ files: [file], faces: face ? [face] : [] })
  }
  await engine.close()
  return people.map((person) => person.files)
}

function meanDistance(known: readonly Float32Array[], one: Float32Array): number {
  return known.reduce((sum, each) => sum + faceDistance(each, one), 0) / known.length
}
