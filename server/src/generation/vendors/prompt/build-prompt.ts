import type { Scene } from '@starside/engine/image-provider.ts'
import { promptTemplate } from './template.ts'

/** Characters of the user's words that a prompt takes at most. */
export const sceneWordsMax = 240

export interface PromptRequest {
  scene: Scene | undefined
  /** The user's own words, of any content; only ever put into the scene slot. */
  words: string | undefined
  /** Where in a photo of several people the meant one is, such as 'second face from the left'. */
  userPlace?: string | undefined
  starPlace?: string | undefined
  /** Characters the model takes at most. */
  lengthMax: number
}

export interface BuiltPrompt {
  text: string
  version: string
}

/**
 * Puts the prompt together. What the user wrote is cleaned, cut and quoted; when the whole is
 * longer than the model takes, the user's words are cut further, never the rules around them.
 */
export function buildPrompt(request: PromptRequest): BuiltPrompt {
  const words = cleanSceneWords(request.words)
  const fixed = fillTemplate(request, words === '' ? undefined : '')
  const room = Math.max(0, request.lengthMax - fixed.length)
  const text =
    words === '' || room < 8 ? fillTemplate(request) : fillTemplate(request, cut(words, room))
  return { text, version: promptTemplate.version }
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
  const scene =
    words === undefined
      ? promptTemplate.scenes[request.scene ?? 'own']
      : promptTemplate.sceneOfWords.replace('{words}', () => words)
  const fill = { userPlace: place(request.userPlace), starPlace: place(request.starPlace), scene }
  return promptTemplate.parts
    .map((part) =>
      part.replaceAll(
        /\{(userPlace|starPlace|scene)\}/g,
        (_, slot) => fill[slot as keyof typeof fill],
      ),
    )
    .join(' ')
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
