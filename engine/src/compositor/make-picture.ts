import type { Owner } from '../account-memory.ts'
import { engineVersion } from '../engine-version.ts'
import { selfieAspects } from '../image-provider.ts'
import type { Aspect, GenerateRequest } from '../image-provider.ts'
import { PhotoError } from '../photo/photo-error.ts'
import type { FormatRefusal } from '../photo/photo-error.ts'
import { pictureSizes } from '../picture-sizes.ts'
import type { CutOut } from './blend/blend.ts'
import type { CompositorThread } from './compositor-threads.ts'
import { emptyAbove } from './layout/empty-above.ts'
import { layOut } from './layout/layout.ts'
import type { LayoutSubject } from './layout/layout-subject.ts'
import type { Layout } from './layout/layout.ts'
import type { PersonSession } from './person-session.ts'
import type { Readings } from './readings.ts'
import type { PlacedPeople } from './placed-people.ts'
import type { ReadResult } from './thread-messages.ts'

/** Stored with every picture; changes when pictures of the same photos change. */
export const compositorModel = `starside-compositor-${engineVersion}`

/** A picture that would show more of a photo's border (in head sizes) is refused. */
export const visibleCutMax = 0.15

/** A picture whose heads would be smaller than this, in parts of its height, is refused. */
const headSizeMin = 0.12

/** So is one of more than two heads that leaves so much empty above them in the mean, in parts of its height. */
const emptyAboveMax = 0.5

/** The best layout; throws PhotoError where these people can't stand in this shape. */
export function layOutPicture(
  subjects: readonly LayoutSubject[],
  { aspect, resolution }: Pick<GenerateRequest, 'aspect' | 'resolution'>,
): Layout {
  const [width, height] = pictureSizes[aspect][resolution]
  const layout = layOut(subjects, width, height)
  const isCompany = subjects.flatMap(({ heads }) => heads).length > 2
  const isEmpty = isCompany && emptyAbove(subjects, layout, height) > emptyAboveMax
  if (isEmpty || layout.headSize < headSizeMin * height) {
    throw new PhotoError('people_too_far_apart', 'user')
  }
  if (layout.visibleCut > visibleCutMax) {
    throw new PhotoError(aspect === '9:16' ? 'story_too_tight' : 'pair_too_tight')
  }
  return layout
}

/** Of a format, in parts of its height. */
function widthOf(aspect: Aspect): number {
  const [width, height] = pictureSizes[aspect].standard
  return width / height
}

/** Why these people can't stand in a format, and in which they can, the widest first; undefined where they do. */
export function refusedFormat(
  subjects: readonly LayoutSubject[],
  { aspect: wished, resolution }: Pick<GenerateRequest, 'aspect' | 'resolution'>,
): FormatRefusal | undefined {
  const refusalIn = (aspect: Aspect): FormatRefusal['code'] | undefined => {
    try {
      layOutPicture(subjects, { aspect, resolution })
      return undefined
    } catch (error) {
      if (error instanceof PhotoError) return error.code
      throw error
    }
  }
  const code = refusalIn(wished)
  if (code === undefined) return undefined
  const formats = selfieAspects.filter(
    (aspect) => aspect !== wished && refusalIn(aspect) === undefined,
  )
  return { code, formats: formats.toSorted((one, other) => widthOf(other) - widthOf(one)) }
}

/** Reads every photo, or takes what was kept; `onRead` gets the number of each session read. */
export async function readAll(
  sessions: readonly PersonSession[],
  readings: Readings,
  { userPhoto, userFaceIndexes, stars, account, signal }: GenerateRequest,
  onRead?: (session: number) => void,
): Promise<{
  read: ReadResult[]
  /** Of how many photos a reading had been kept. */
  keptCount: number
  /** Whether all readings are kept now. */
  areKept: boolean
}> {
  const own: Owner | undefined = account === undefined ? undefined : { account }
  const photos = [
    { photo: userPhoto, faceIndexes: userFaceIndexes ?? [0], keepFor: own },
    ...stars.map(({ photo, faceIndex = 0, isPreset }) => ({
      photo,
      faceIndexes: [faceIndex],
      keepFor: isPreset ? ('everybody' as const) : own,
    })),
  ]
  const all = await Promise.all(
    photos.map(async (photo, n) => {
      const read = await readings.read(sessions[n]!, photo, signal)
      onRead?.(n)
      return read
    }),
  )
  const keptCount = all.filter(({ wasKept }) => wasKept).length
  const areKept = all.every(({ isKept }) => isKept)
  return { read: all.map(({ reading }) => reading), keptCount, areKept }
}

/** Blends the picture in its frames; each thread takes some of its rows. */
export async function blendPeople(
  threads: readonly CompositorThread[],
  { layout, frames }: Pick<PlacedPeople, 'layout' | 'frames'>,
  people: readonly CutOut[],
): Promise<void> {
  const { background, picture } = frames
  const backToFront = layout.frontToBack.toReversed().map((subject) => people[subject]!)
  await Promise.all(
    threads.map((thread, n) => {
      const rowOf = (part: number): number => Math.round((picture.height * part) / threads.length)
      const rows = { fromRow: rowOf(n), toRow: rowOf(n + 1) }
      return thread.ask({ kind: 'blend', background, people: backToFront, picture, ...rows })
    }),
  )
}
