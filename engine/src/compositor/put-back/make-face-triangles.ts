import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/*
 * `node engine/src/compositor/put-back/make-face-triangles.ts` makes `face-triangles.ts` from the
 * edges that the face mesh's own package names `FACEMESH_TESSELATION`: three in a row are one
 * triangle; each is repeated by the first edge of the next one.
 */

const source = createRequire(import.meta.url).resolve('@mediapipe/face_mesh/face_mesh.js')
const target = new URL('face-triangles.ts', import.meta.url)

/** The corners of all triangles, three numbers each, as the package lists them. */
export async function readFaceTriangles(): Promise<number[]> {
  const text = await readFile(source, 'utf8')
  const found = /"FACEMESH_TESSELATION",(\[\[[\d\s,[\]]+\]\])/.exec(text)
  if (!found) throw new Error('The package has no FACEMESH_TESSELATION')
  const edges = JSON.parse(found[1]!) as [number, number][]
  const corners: number[] = []
  for (let i = 0; i < edges.length; i += 3) {
    const triangle = [edges[i]!, edges[i + 1]!, edges[i + 2]!]
    if (triangle.some(([, to], n) => to !== triangle[(n + 1) % 3]![0])) {
      throw new Error(`Edges ${i} to ${i + 2} are no triangle`)
    }
    corners.push(...triangle.map(([from]) => from))
  }
  return corners
}

if (import.meta.main) {
  const corners = await readFaceTriangles()
  await writeFile(
    target,
    `/**
 * The ${corners.length / 3} triangles of the face mesh: the numbers of three points each. Made by
 * \`make-face-triangles.ts\` from @mediapipe/face_mesh (Apache-2.0, The MediaPipe Authors).
 */
export const faceTriangles: readonly number[] = [
  ${corners.join(', ')},
]
`,
  )
}
