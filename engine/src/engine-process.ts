/**
 * The engine's own process, forked by `createEngineHost`: hostile photos are decoded and pictures
 * are made here, at low priority and without the server's secrets.
 */
import os from 'node:os'
import sharp from 'sharp'
import { createEngine } from './engine.ts'
import { serveEngine } from './serve-engine.ts'

const priority = 10

// Before any thread is started: on Linux threads take the priority of the one that starts them.
try {
  os.setPriority(priority)
} catch {
  // Not allowed everywhere; the engine works at any priority.
}
// Of all decoders that libvips has, only the accepted ones can be reached, and SVG for our marks.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Svg'].map((f) => `VipsForeignLoad${f}`),
})
// No picture comes twice, so libvips has nothing to gain from keeping the last ones.
sharp.cache(false)

serveEngine(createEngine({ preload: true }))
