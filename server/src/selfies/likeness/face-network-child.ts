/** The face network's process, forked by `openFaceComparison`: answers distances, keeps nothing. */
import { serveModel } from '@starside/engine/models/serve-model.ts'
import { openFaceDistances } from './face-network.ts'

await serveModel(openFaceDistances)
