/** Forked by `createEngineHost`; opens hostile photos at low priority, without server secrets. */
import sharp from 'sharp'
import { createEngine } from './engine.ts'
import { openProvenance } from '@starside/provenance/open-provenance.ts'
import { lowerPriority } from './lower-priority.ts'
import { serveEngine } from './serve-engine.ts'

// Of all decoders that libvips has, only the accepted ones can be reached, and SVG for our marks.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Svg'].map((f) => `VipsForeignLoad${f}`),
})
// No picture comes twice, so libvips has nothing to gain from keeping the last ones.
sharp.cache(false)

serveEngine(async ({ provenance, niceness }, askStamp) => {
  lowerPriority(niceness)
  // Settings that can't be used are reported at the start, not by the first picture.
  await openProvenance(provenance)
  return createEngine({ preload: true, provenance, askStamp })
})
