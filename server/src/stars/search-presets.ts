import type { CelebrityPreset } from '@starside/contract/presets.ts'

/** Stars of one answer at most; more are asked for by its cursor. */
export const presetsPageSize = 200

export interface PresetSearch {
  q?: string | undefined
  category?: string | undefined
  /** The last star of the page before. */
  after?: string | undefined
}

/** Stars, in order, with every word in name or line of any language, case and accents aside. */
export function searchPresets(
  presets: readonly CelebrityPreset[],
  { q = '', category, after }: PresetSearch,
): { presets: CelebrityPreset[]; nextCursor: string | null } {
  // An empty word, as of spaces at an end, is in every text.
  const words = [...new Set(plain(q).split(/\s/u))]
  const found = presets.filter(
    (preset) =>
      (category === undefined || preset.category === category) &&
      words.every((word) => textOf(preset).includes(word)),
  )
  // A star that is gone meanwhile begins the list anew; nobody misses one by that.
  const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1
  const page = found.slice(start, start + presetsPageSize)
  const isMore = start + page.length < found.length
  return { presets: page, nextCursor: isMore ? (page.at(-1)?.id ?? null) : null }
}

const texts = new WeakMap<CelebrityPreset, string>()

/** Name and lines of a star as they are searched; made once for each. */
function textOf(preset: CelebrityPreset): string {
  const known = texts.get(preset)
  if (known !== undefined) return known
  const text = plain([preset.name, ...Object.values(preset.line ?? {})].join(' '))
  texts.set(preset, text)
  return text
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
}
