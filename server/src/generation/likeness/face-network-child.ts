/**
 * The face network's own process, forked by `openFaceComparison`. What describes a face never leaves
 * it: it answers how far faces are from each other, and keeps nothing.
 */
import { serveModel } from '@starside/engine/models/serve-model.ts'
import { faceDistance, openFaceNetwork } from './face-network.ts'

await serveModel(async () => {
  const describe = await openFaceNetwork()
  return async (crops) => {
    const faces = await describe(crops)
    return faces.map((one) => faces.map((other) => faceDistance(one, other)))
  }
})
