/**
 * The face network's own process, forked by `openFaceComparison`. What describes a face never leaves
 * it: it answers how far faces are from each other, and keeps nothing.
 */
import { serveModel } from '@starside/engine/models/serve-model.ts'
import { openFaceDistances } from './face-network.ts'

await serveModel(openFaceDistances)
