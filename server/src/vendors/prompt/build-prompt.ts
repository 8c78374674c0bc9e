import type { Scene } from '@starside/engine/image-provider.ts'
import promptTemplate from './template.json' with { type: 'json' }

/** Characters of the user's words that a prompt takes at most. */
export const sceneWordsMax = 240

export interface PromptRequest {
  scene: Scene | undefined
  /** The user's own words, of any content; only ever put into the scene slot. */
  words: string | undefined
  /** Where in a photo of several people the meant one is, such as 'second face from the left'. */
  userPlace?: string | undefined
  starPlace?: string | undefined
  /** How many people of the user's photo are to be in the picture; 1 when it is left out. */
  userCount?: number | undefined
  /** A second star, whose photo is image 3. */
  secondStar?: { place: string | undefined } | undefined
  /** Whether the last image is a photo of the place. */
  hasBackgroundPhoto?: boolean | undefined
  /** Characters the model takes at most. */
  lengthMax: number
}

/**
 * Puts the prompt together of `template.json`. Each picture keeps the version of the template it was made
 * with, so any change of a text there gets a new one. Its texts are short on purpose: long lists of
 * identity rules were found to cost likeness. What the user wrote is cleaned, cut and quoted; when the whole is
 * longer than the model takes, the user's words are cut further, never the rules around them.
 */
export function buildPrompt(request: PromptRequest): string {
  const words = cleanSceneWords(request.words)
  const fixed = fillTemplate(request, words === '' ? undefined : '')
  const room = Math.max(0, request.lengthMax - fixed.length)
  return words === '' || room < 8 ? fillTemplate(request) : fillTemplate(request, cut(words, room))
}

/** The user's words without control characters, quotes, braces and line breaks, bounded. */
export function cleanSceneWords(words: string | undefined): string {
  const clean = (words ?? '')
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/["“”„«»{}<>[\]\\`]/gu, '')
    .trim()
  return cut(clean, sceneWordsMax)
}

function fillTemplate(request: PromptRequest, words?: string): string {
  const fill = { ...fillPeople(request), scene: fillScene(request, words) }
  return promptTemplate.parts
    .map((part) =>
      part.replaceAll(
        /\{(users|stars|both|count|scene)\}/g,
        (_, slot) => fill[slot as keyof typeof fill],
      ),
    )
    .join(' ')
}

function fillScene({ scene, secondStar, hasBackgroundPhoto }: PromptRequest, words?: string) {
  if (hasBackgroundPhoto !== true) {
    return words === undefined
      ? promptTemplate.scenes[scene ?? 'own']
      : promptTemplate.sceneOfWords.replace('{words}', () => words)
  }
  const number = secondStar === undefined ? '3' : '4'
  const setting = promptTemplate.sceneOfPhoto.replace('{number}', number)
  if (words === undefined) return setting
  return `${setting} ${promptTemplate.moodOfWords.replace('{words}', () => words)}`
}

/** Who is to be in the picture, and how many they are. */
function fillPeople({ userPlace, userCount = 1, starPlace, secondStar }: PromptRequest) {
  const users = userCount === 1 ? 'the person' : 'the people'
  const stars = [`the person in image 2${place(starPlace)}`]
  if (secondStar !== undefined) stars.push(`the person in image 3${place(secondStar.place)}`)
  const count = userCount + stars.length
  return {
    users: `${users} in image 1${place(userPlace)}`,
    stars: stars.join(' and '),
    both: count === 2 ? 'both' : 'all',
    count: ['two', 'three', 'four'][count - 2] ?? String(count),
  }
}

function place(text: string | undefined): string {
  return text === undefined ? '' : ` (the ${text})`
}

/** Cuts by whole characters, so that no surrogate pair is torn. */
function cut(text: string, lengthMax: number): string {
  let kept = ''
  for (const character of text) {
    if (kept.length + character.length > lengthMax) break
    kept += character
  }
  return kept.trim()
}
