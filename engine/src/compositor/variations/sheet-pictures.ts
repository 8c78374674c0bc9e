import sharp from 'sharp'
import type { Arrangement } from '../../arrangement.ts'
import type { Aspect, GenerateRequest } from '../../image-provider.ts'
import { pictureSizes } from '../../picture-sizes.ts'
import { applySimilarity, similarityScale } from '../../image/warp.ts'
import type { RawPicture } from '../../finish/raw-picture.ts'
import { guessedShare } from '../layers/empty-background.ts'
import type { EmptyBackground } from '../layers/empty-background.ts'
import type { ComingLayers, Layers } from '../layers/layers.ts'
import { makeLayers } from '../layers/make-layers.ts'
import { standAt } from '../layout/place-arrangement.ts'
import { layOutPicture, readAll } from '../make-picture.ts'
import type { PersonSession } from '../person-session.ts'
import type { Readings } from '../readings.ts'
import type { Layout } from '../layout/layout.ts'
import type { ReadResult } from '../thread-messages.ts'
import type { AcquireFrame } from '../shared-frames.ts'
import { chooseVariations } from './choose-variations.ts'
import type { ChosenVariation } from './choose-variations.ts'
import { drawArrangement, windowBehind } from './draw-arrangement.ts'
import type { DrawingTools } from './draw-arrangement.ts'
import { listCandidates } from './list-candidates.ts'
import type { Candidate } from './list-candidates.ts'
import { inOtherScenes } from './other-scenes.ts'

/** Long side of a sheet's pictures, and the longest of a preview. */
export const smallSidePx = 512

/** The layers of a request's photos, and the arrangements that are drawn of them. */
export interface CutSheet {
  layers: Layers
  /** Chooses those that are drawn small, the best first; takes some milliseconds. */
  choose(): ChosenVariation[]
}

/** What layers are cut out with. */
export interface CuttingTools {
  /** One for each subject: the user, or the user and their company, then the stars. */
  sessions: readonly PersonSession[]
  readings: Readings
  /** Takes the layers. */
  acquireFrame: AcquireFrame
}

/** Everybody laid out as the best picture shows them, and being cut out. */
export interface CutPeople {
  layout: Layout
  subjects: readonly ReadResult[]
  layers: ComingLayers
  /** Of how many photos a reading had been kept. */
  keptCount: number
  /** Whether all readings are kept now. */
  areKept: boolean
}

/** Reads the photos, lays the best picture out, and begins to cut everybody out. */
export async function cutPeople(
  { sessions, readings, acquireFrame }: CuttingTools,
  request: GenerateRequest,
): Promise<CutPeople> {
  const { signal, onStage, aspect, resolution } = request
  signal?.throwIfAborted()
  try {
    onStage?.('reading')
    onStage?.('faces')
    const withBackground = !request.userPhoto.hasMatte && !request.backgroundPhoto
    let background: Promise<EmptyBackground> | undefined
    // By the star's thread where that has no more to read.
    let free = sessions[0]!
    const { read: subjects, ...kept } = await readAll(sessions, readings, request, (n) => {
      if (n > 0) free = sessions[n]!
      else if (withBackground) background = sessions[0]!.emptyBackground(free, signal)
      background?.catch(() => {})
    })
    onStage?.('matting')
    onStage?.('layout')
    const layout = layOutPicture(subjects, request)
    const [width, height] = pictureSizes[aspect][resolution]
    const [standardWidth, standardHeight] = pictureSizes[aspect].standard
    const layers = makeLayers(
      {
        sessions,
        subjects,
        layout,
        largerBy: (width * height) / (standardWidth * standardHeight),
        background,
        seed: request.seed ?? 1,
        acquireFrame,
      },
      signal,
    )
    // Whatever goes wrong meanwhile, nobody else waits for it.
    layers.cut.catch(() => {})
    return { layout, subjects, layers, ...kept }
  } finally {
    // After what has been asked of them.
    for (const session of sessions) session.drop()
  }
}

/**
 * Finds candidates while everybody is cut out.
 * @param variationsMax how many are wanted, the best among them; 0: the best at full size alone
 */
export async function cutSheet(
  { layout, subjects, layers: coming }: CutPeople,
  request: GenerateRequest,
  best: Arrangement,
  variationsMax: number,
): Promise<CutSheet> {
  // It is drawn meanwhile; that it failed is told with the layers.
  await coming.background?.catch(() => {})
  const listed = variationsMax > 1 ? listCandidates(subjects, best, request.resolution) : []
  const candidates = request.keepsAspect
    ? listed.filter(({ arrangement }) => arrangement.aspect === best.aspect)
    : listed
  const layers = await coming.cut
  const bestCost = Math.min(layout.cost, ...candidates.map(({ cost }) => cost))
  const choose = (): ChosenVariation[] => {
    if (variationsMax < 1) return []
    const others = chooseFrom({
      layers,
      candidates,
      best: { arrangement: best, cost: bestCost },
      chosen: [best],
      count: variationsMax - 1,
      scenesMax: 1,
    })
    return [{ arrangement: best, quality: 1 }, ...others]
  }
  return { layers, choose }
}

/** Another scene alone makes another version for whoever asks for more. */
const otherDistanceMin = 0.75

/** Other arrangements of layers than those that are there, about as good as the best in its format. */
export function chooseOthers(
  layers: Layers,
  except: readonly Arrangement[],
  count: number,
): ChosenVariation[] {
  const subjects = layers.subjects.map(({ reading }) => reading)
  const [best] = except
  if (!best) return []
  const candidates = listCandidates(subjects, best, 'standard')
  const inFormat = candidates.filter(({ arrangement }) => arrangement.aspect === best.aspect)
  const comparable = inFormat.length > 0 ? inFormat : candidates
  return chooseFrom({
    layers,
    candidates,
    best: { arrangement: best, cost: Math.min(...comparable.map(({ cost }) => cost)) },
    chosen: except,
    count,
    scenesMax: 3,
    distanceMin: otherDistanceMin,
  })
}

interface ChoiceOfLayers {
  layers: Layers
  candidates: readonly Candidate[]
  best: Candidate
  chosen: readonly Arrangement[]
  count: number
  scenesMax: number
  distanceMin?: number
}

function chooseFrom({
  layers,
  candidates,
  scenesMax,
  ...choice
}: ChoiceOfLayers): ChosenVariation[] {
  const { subjects, background } = layers
  const user = subjects[0]!.reading
  const hasBackground = background !== undefined
  const { arrangement: best } = choice.best
  const others = inOtherScenes(candidates, best, user, { hasBackground, scenesMax })
  const showable = [...candidates, ...others].filter(({ arrangement }) =>
    showsItsPlace(layers, arrangement),
  )
  return chooseVariations({ ...choice, candidates: showable, otherScenesMax: scenesMax })
}

/** Whether most of what is seen above the people was in the photo. */
function showsItsPlace({ subjects, background }: Layers, arrangement: Arrangement): boolean {
  if (arrangement.scene !== 'own' || !background || background.gain) return true
  const [width, height] = pictureSizes[arrangement.aspect].standard
  const { reading } = subjects[0]!
  const toPicture = standAt(reading, arrangement.subjects[0]!, width, height)
  const inPicture = applySimilarity(toPicture, reading.head.centre)
  const scale = similarityScale(toPicture)
  const window = windowBehind(reading, inPicture, scale, { width, height })
  return guessedShare(background, { ...window, height: window.height / 3 }) <= 0.5
}

/** A chosen arrangement with its small picture. */
export interface SmallVariation extends ChosenVariation {
  picture: RawPicture
}

/** Draws small pictures of halved layers, one at a time a lane, with its threads and frames. */
export async function drawSmall(
  lanes: readonly DrawingTools[],
  halved: Layers,
  chosen: readonly ChosenVariation[],
): Promise<SmallVariation[]> {
  const waiting = [...chosen.entries()]
  const drawn: SmallVariation[] = []
  await Promise.all(
    lanes.map(async (lane) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [n, variation] = next
        const { arrangement } = variation
        const size = smallSize(arrangement.aspect, smallSidePx)
        const picture = await drawArrangement(lane, halved, arrangement, size)
        drawn[n] = { ...variation, picture }
      }
    }),
  )
  return drawn
}

/** The small pictures of a sheet; that of the best is the best itself, made smaller. */
export async function drawSheet(
  lanes: readonly DrawingTools[],
  {
    halved,
    chosen,
    best,
  }: { halved: Layers; chosen: readonly ChosenVariation[]; best: RawPicture },
): Promise<SmallVariation[]> {
  const [first, ...others] = chosen
  if (!first) return []
  const [picture, drawn] = await Promise.all([
    shrinkToSmall(best),
    drawSmall(lanes, halved, others),
  ])
  return [{ ...first, picture }, ...drawn]
}

/** A picture as a sheet shows it. */
export async function shrinkToSmall({
  pixels,
  widthPx,
  heightPx,
}: RawPicture): Promise<RawPicture> {
  const scale = smallSidePx / Math.max(widthPx, heightPx)
  const [width, height] = [Math.round(widthPx * scale), Math.round(heightPx * scale)]
  const small = await sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer()
  return { pixels: small, widthPx: width, heightPx: height }
}

/** Width and height of a picture with this long side. */
export function smallSize(aspect: Aspect, longSidePx: number): readonly [number, number] {
  const [width, height] = pictureSizes[aspect].standard
  const scale = longSidePx / Math.max(width, height)
  return [Math.round(width * scale), Math.round(height * scale)]
}
