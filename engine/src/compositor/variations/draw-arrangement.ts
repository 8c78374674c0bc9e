import type { Arrangement } from '../../arrangement.ts'
import { applySimilarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'
import type { Point, Rect } from '../../image/raster.ts'
import type { RawPicture } from '../../finish/raw-picture.ts'
import { backgroundWindow } from '../background/background.ts'
import type { CutOut, Gain } from '../blend/blend.ts'
import { gainOfSubject } from '../blend/gain-of-subject.ts'
import { chooseView } from '../choose-view.ts'
import type { CompositorThread } from '../compositor-threads.ts'
import type { EmptyBackground } from '../layers/empty-background.ts'
import type { ComingLayers, Layers } from '../layers/layers.ts'
import { mirrorLayer } from '../layers/mirror-layer.ts'
import { coarsestPixel } from '../layers/place-layer.ts'
import { retouchLayer } from '../layers/retouch-layer.ts'
import { hideCuts } from '../layout/hide-cuts.ts'
import type { Stand } from '../layout/hide-cuts.ts'
import { placeArrangement, standAt } from '../layout/place-arrangement.ts'
import { blendPeople } from '../make-picture.ts'
import type { PlacedPeople } from '../placed-people.ts'
import type { AcquireFrames } from '../shared-frames.ts'
import type { DrawBackgroundRequest, ReadResult } from '../thread-messages.ts'

/** What an arrangement is drawn with. */
export interface DrawingTools {
  /** Share the work; one alone draws all of it, so that others may draw other pictures. */
  threads: readonly CompositorThread[]
  /** Draws each layer's person into the picture; undefined: the same in turn. */
  placing?: readonly CompositorThread[] | undefined
  acquireFrames: AcquireFrames
}

/** A picture of an arrangement. */
export interface DrawnArrangement extends RawPicture {
  /** Head sizes of a photo's border that show. */
  visibleCut: number
}

/** A picture of an arrangement, and the same with nobody in it. */
export interface DrawnApart extends DrawnArrangement {
  /** As large as the picture. */
  behind: Uint8Array
  /** What the place and the arrangement do to each subject's light. */
  gains: readonly Gain[]
  /** Where everybody would stand for no border to show; undefined where none does, or nowhere near. */
  mended: Stand[] | undefined
}

/** Draws an arrangement of layers, which are at the picture's size or nearly. */
export async function drawArrangement(
  tools: DrawingTools,
  layers: Layers | ComingLayers,
  arrangement: Arrangement,
  size: readonly [number, number],
): Promise<DrawnArrangement> {
  const placed = await placePeople(tools, layers, arrangement, size)
  return await blendPlaced(tools.threads, placed)
}

/** Draws it and, in the same memory, what is behind the people. */
export async function drawApart(
  tools: DrawingTools,
  layers: Layers,
  arrangement: Arrangement,
  size: readonly [number, number],
): Promise<DrawnApart> {
  const placed = await placePeople(tools, layers, arrangement, size)
  const picture = await blendPlaced(tools.threads, placed)
  for (const { alpha } of placed.frames.subjects) alpha.data.fill(0)
  const { pixels: behind } = await blendPlaced(tools.threads, placed)
  const mended = hideCuts(placed.subjects, arrangement, ...size)
  return { ...picture, behind, gains: placed.gains, mended }
}

type PlacedInLight = PlacedPeople & { gains: readonly Gain[] }

async function blendPlaced(
  threads: readonly CompositorThread[],
  placed: PlacedInLight,
): Promise<DrawnArrangement> {
  const { headSize } = placed.layout
  const people = placed.gains.map((gain, n): CutOut => ({
    ...placed.frames.subjects[n]!,
    gain,
    headSize,
  }))
  await blendPeople(threads, placed, people)
  const { data, width, height } = placed.frames.picture
  // A copy, as the next picture is made in the same memory.
  const pixels = data.slice()
  return { pixels, widthPx: width, heightPx: height, visibleCut: placed.layout.visibleCut }
}

/** Draws everybody and what is behind them into their frames. */
async function placePeople(
  { threads, placing = threads, acquireFrames }: DrawingTools,
  layers: Layers | ComingLayers,
  arrangement: Arrangement,
  [width, height]: readonly [number, number],
): Promise<PlacedInLight> {
  const retouched = layers.subjects.map((layer, n) =>
    retouchLayer(layer, arrangement.subjects[n]!.retouch),
  )
  const turned = retouched.map((layer, n) =>
    arrangement.subjects[n]!.mirrored ? mirrorLayer(layer) : layer,
  )
  const subjects = turned.map(({ reading }) => reading)
  const layout = placeArrangement(subjects, arrangement, width, height)
  const frames = acquireFrames(width, height, subjects.length)
  const wanted = { ...arrangement, seed: layers.seed, hasOwn: layers.background !== undefined }
  const asInPhotos = layers.subjects.map(({ reading }) => reading)
  const toPicture = asInPhotos.map((reading, n) =>
    standAt(reading, arrangement.subjects[n]!, width, height),
  )
  const view = chooseView(wanted, asInPhotos, toPicture, { width, height })
  const placed: PlacedPeople = { subjects, layout, frames, view }
  const drawBackground = async (): Promise<Gain | undefined> => {
    const background = await layers.background
    const behind = { reading: asInPhotos[0]!, toPicture: toPicture[0]! }
    // Who is flipped together is so about their middle, and stands there before the same place.
    const unflipped = headsMiddle(behind.reading, behind.toPicture)
    const flipped = headsMiddle(subjects[0]!, layout.subjects[0]!.toPicture)
    const aside = { x: flipped.x - unflipped.x, y: flipped.y - unflipped.y }
    const request = backgroundRequest({ ...behind, aside }, background, arrangement, placed)
    return await threads.at(-1)!.ask({ kind: 'drawBackground', ...request })
  }
  const pixelMin = coarsestPixel(
    turned.map(({ place }, n) => ({ place, toPicture: layout.subjects[n]!.toPicture })),
  )
  const [gain] = await Promise.all([
    drawBackground(),
    ...turned.map((layer, n) =>
      placing[n % placing.length]!.ask({
        kind: 'placeLayer',
        placed: {
          ...layout.subjects[n]!,
          layer: { frame: layer.frame, place: layer.place, reading: layer.reading },
          flip: layer !== retouched[n],
          pixelMin,
        },
        frame: frames.subjects[n]!,
      }),
    ),
  ])
  return { ...placed, gains: arrangement.subjects.map((each) => gainOfSubject(each, gain)) }
}

/** The middle of a subject's heads in the picture, about which the editor flips them. */
function headsMiddle({ heads }: Pick<ReadResult, 'heads'>, toPicture: Similarity): Point {
  const places = heads.map(({ centre }) => applySimilarity(toPicture, centre))
  const middle = (sides: number[]): number => (Math.min(...sides) + Math.max(...sides)) / 2
  return { x: middle(places.map(({ x }) => x)), y: middle(places.map(({ y }) => y)) }
}

/** Behind the user as their photo has them: a flip leaves the place as it was. */
function backgroundRequest(
  { reading, toPicture, aside }: { reading: ReadResult; toPicture: Similarity; aside: Point },
  background: EmptyBackground | undefined,
  { blur }: Arrangement,
  { frames, view }: PlacedPeople,
): DrawBackgroundRequest {
  const target = frames.background
  if (view !== 'own') return { view, target }
  const scale = similarityScale(toPicture)
  const head = applySimilarity(toPicture, reading.head.centre)
  const inPicture = { x: head.x + aside.x, y: head.y + aside.y }
  const headSize = reading.head.size * scale
  const isPlace = background!.gain !== undefined
  const heads = blurInHeads(blur) * (isPlace ? placeSharpness : 1)
  const sigma = (heads * headSize * target.width) / frames.picture.width
  const window = isPlace
    ? middleOf(background!.region, frames.picture)
    : windowBehind(reading, inPicture, scale, frames.picture)
  return { view: { own: background!, window, sigma }, target }
}

/** A photo of a place is so much less out of focus than the user's own: it is sent so that the place is known. */
const placeSharpness = 0.5

/** The largest part of a photo that has the picture's shape. */
function middleOf(photo: Rect, picture: { width: number; height: number }): Rect {
  const scale = Math.min(photo.width / picture.width, photo.height / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  return { x: (photo.width - width) / 2, y: (photo.height - height) / 2, width, height }
}

/**
 * The part of the user's photo that fills the picture behind them; the place itself is never mirrored.
 * @param reading of the photo as the kept background has it
 * @param inPicture where the middle of the user's face stands
 */
export function windowBehind(
  reading: Pick<ReadResult, 'head' | 'width' | 'height'>,
  inPicture: Point,
  scale: number,
  picture: { width: number; height: number },
): Rect {
  return backgroundWindow(reading.head.centre, inPicture, scale, reading, picture)
}

/** How far the background is out of focus as planned, in head sizes; at least a quarter, at most four times that. */
const plannedBlur = 0.03

function blurInHeads(blur: number): number {
  const [least, most] = [1 / 4, 4]
  const along = Math.abs(2 * blur - 1)
  return plannedBlur * (1 + along * ((blur < 0.5 ? least : most) - 1))
}
