import type { Arrangement } from '../../arrangement.ts'
import type { GenerateRequest } from '../../image-provider.ts'
import { PhotoError } from '../../photo/photo-error.ts'
import type { FormatRefusal } from '../../photo/photo-error.ts'
import { pictureSizes } from '../../picture-sizes.ts'
import { layerPixelsMax } from '../layers/cut-layer.ts'
import { halveLayers } from '../layers/halve-layers.ts'
import type { EmptyBackground } from '../layers/empty-background.ts'
import type { ComingLayers, Layers } from '../layers/layers.ts'
import { LayersError } from '../layers/layers-error.ts'
import { storeLayers } from '../layers/store-layers.ts'
import { readAll, refusedFormat } from '../make-picture.ts'
import type { PersonSession } from '../person-session.ts'
import type { PictureLane } from '../picture-lane.ts'
import type { Readings } from '../readings.ts'
import { orAborted } from '../../or-aborted.ts'
import { releaseMemory } from '../../release-memory.ts'
import { createFrameMemory, createFramePool } from '../shared-frames.ts'
import { bestArrangement } from './best-arrangement.ts'
import { drawApart, drawArrangement } from './draw-arrangement.ts'
import type { DrawingTools, DrawnApart, DrawnArrangement } from './draw-arrangement.ts'
import { createPreparation, nameOfCut } from './prepare-cut.ts'
import {
  chooseOthers,
  cutPeople,
  cutSheet,
  drawSheet,
  drawSmall,
  smallSidePx,
  smallSize,
} from './sheet-pictures.ts'
import type { CutPeople, SmallVariation } from './sheet-pictures.ts'

/** Pictures of people who were cut out once, in any arrangement. */
export interface VariationsOfLayers {
  /**
   * Makes the best picture of a request, and small ones of it and of other arrangements.
   * @param variationsMax how many small ones, the best among them
   * @param keepLayers whether the layers are wanted
   * @throws PhotoError as `generate`
   */
  makeSheet(
    request: GenerateRequest,
    variationsMax: number,
    keepLayers: boolean,
  ): Promise<SheetPictures>
  /**
   * Cuts a likely request's people out while idle, for its account; failing keeps nothing.
   * @returns why they can't stand in the format; undefined where they can, or it takes long to find out
   */
  prepare(request: GenerateRequest & { account: string }): Promise<FormatRefusal | undefined>
  /** Drops what was prepared for an account. */
  forget(account: string): void
  /** Small pictures of further arrangements; none where no more are good. */
  more(
    layers: Layers,
    except: readonly Arrangement[],
    count: number,
    signal?: AbortSignal,
  ): Promise<SmallVariation[]>
  /** One arrangement at full size. */
  draw(
    layers: Layers,
    arrangement: Arrangement,
    resolution: 'standard' | 'high',
    signal?: AbortSignal,
  ): Promise<DrawnArrangement>
  /** One arrangement at a smaller size, beside pictures that are being made. */
  preview(
    layers: Layers,
    arrangement: Arrangement,
    longSidePx: number,
    signal?: AbortSignal,
  ): Promise<DrawnApart>
}

/** What is made of a request. */
export interface SheetPictures {
  best: DrawnArrangement
  /** Still being drawn when the best is there; the best first. */
  variations: Promise<SmallVariation[]>
  /** Still being packed when the best is there; undefined where they aren't wanted. */
  layers: Promise<Uint8Array | undefined>
  /** Of how many photos a reading had been kept. */
  keptCount: number
  /** Whether everybody had been cut out before. */
  wasPrepared: boolean
}

/** So long at most it is waited for who is to stand there, below the limit of the call. */
const refusalWaitMs = 50_000

interface VariationTools extends DrawingTools {
  readings: Readings
  openSessions: (request: GenerateRequest) => PersonSession[]
  lane: PictureLane
}

export function createVariationsOfLayers({
  threads,
  readings,
  acquireFrames,
  openSessions,
  lane,
}: VariationTools): VariationsOfLayers {
  // Each thread draws whole small pictures by itself.
  const lanes = threads.map((thread) => ({ threads: [thread], acquireFrames: createFramePool() }))
  const acquireHalf = createFrameMemory(layerPixelsMax / 4)
  const acquireFrame = createFrameMemory(layerPixelsMax)
  const cutNow = (request: GenerateRequest): Promise<CutPeople> =>
    cutPeople({ sessions: openSessions(request), readings, acquireFrame }, request)
  const preparation = createPreparation({ cut: cutNow, acquireFrame, lane })
  const refusalOf = async (request: GenerateRequest): Promise<FormatRefusal | undefined> => {
    const sessions = openSessions(request)
    const signal = AbortSignal.timeout(refusalWaitMs)
    try {
      return refusedFormat(
        (await readAll(sessions, readings, { ...request, signal })).read,
        request,
      )
    } catch (error) {
      // What takes too long, or can't be read, is reported by the sheet itself.
      if (error instanceof PhotoError || signal.aborted) return undefined
      throw error
    } finally {
      for (const session of sessions) session.drop()
    }
  }
  const previewTools = { threads, acquireFrames: createFramePool() }
  let previewing: Promise<unknown> = Promise.resolve()
  return {
    makeSheet(request, variationsMax, keepLayers) {
      const { promise: best, resolve, reject } = Promise.withResolvers<SheetPictures>()
      const { signal, onStage } = request
      const awaits = request.account === undefined ? undefined : nameOfCut(request)
      const make = async (): Promise<void> => {
        const photo = request.backgroundPhoto
        const place = photo && threads.at(-1)!.ask({ kind: 'emptyPlace', photo }, signal)
        place?.catch(() => {})
        const people = await preparation.cut(request, awaits)
        const coming = place ? before(place, people.layers) : people.layers
        const arrangement = bestArrangement(request, people.subjects, people.layout)
        const size = pictureSizes[request.aspect][request.resolution]
        const tools = { threads, acquireFrames, placing: coming.threads }
        // Each is drawn as soon as they are cut out, and to its end: the next picture is drawn in the same memory.
        const drawing = drawArrangement(tools, coming, arrangement, size)
        drawing.catch(() => {})
        const fail = async (error: unknown): Promise<never> => {
          await Promise.allSettled([drawing])
          throw error
        }
        const cutting = { ...people, layers: coming }
        const cut = await cutSheet(cutting, request, arrangement, variationsMax).catch(fail)
        const { layers } = cut
        onStage?.('harmonise')
        onStage?.('blend')
        // While the threads draw.
        const chosen = cut.choose()
        const halved = chosen.length > 1 ? halveLayers(layers, acquireHalf) : layers
        const picture = await drawing
        signal?.throwIfAborted()
        const variations = drawSheet(lanes, { halved, chosen, best: picture })
        const stored = keepLayers ? storeLayers(layers) : Promise.resolve(undefined)
        const { keptCount, wasPrepared } = people
        resolve({ best: picture, variations, layers: stored, keptCount, wasPrepared })
        // The next sheet is made in the same memory.
        await Promise.all([variations, stored])
        // Of a prepared cut it is still kept.
        const spent = wasPrepared ? undefined : layers.background
        releaseMemory(spent?.image.data, spent?.known.data)
      }
      lane.run(make, { signal, awaits }).catch(reject)
      return best
    },
    async prepare(request) {
      const refusal = await refusalOf(request)
      if (!refusal) preparation.prepare(request)
      return refusal
    },
    forget: (account) => preparation.forget(account),
    more(layers, except, count, signal) {
      const make = () =>
        drawSmall(lanes, halveLayers(layers, acquireHalf), chooseOthers(layers, except, count))
      return lane.run(make, { signal })
    },
    draw(layers, arrangement, resolution, signal) {
      requireFit(layers, arrangement)
      const size = pictureSizes[arrangement.aspect][resolution]
      const tools = { threads, acquireFrames }
      return lane.run(() => drawArrangement(tools, layers, arrangement, size), { signal })
    },
    preview(layers, arrangement, longSidePx, signal) {
      requireFit(layers, arrangement)
      const size = smallSize(arrangement.aspect, longSidePx)
      const isSmall = longSidePx <= smallSidePx
      const drawn = previewing.then(() => {
        signal?.throwIfAborted()
        // To its end, as the next one is drawn in the same memory.
        return drawApart(previewTools, isSmall ? halveLayers(layers) : layers, arrangement, size)
      })
      previewing = drawn.catch(() => {})
      return orAborted(drawn, signal)
    },
  }
}

/** The same people before a photo of a place. */
function before(place: Promise<EmptyBackground>, layers: ComingLayers): ComingLayers {
  const cut = Promise.all([layers.cut, place]).then(([made, background]) => ({
    ...made,
    background,
  }))
  cut.catch(() => {})
  return { ...layers, background: place, cut }
}

function requireFit({ subjects }: Layers, arrangement: Arrangement): void {
  if (arrangement.subjects.length !== subjects.length) throw new LayersError('arrangement_unfit')
}
