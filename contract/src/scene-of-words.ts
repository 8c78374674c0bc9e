import { keysOf } from './keys-of.ts'
import sceneWords from './scene-words.json' with { type: 'json' }
import type { SceneName } from './scenes.ts'

/** The scene that words name in a language of the interface, of several the first in `scene-words.json`. */
export function sceneOfWords(text: string): SceneName | undefined {
  // Latin words must stand alone, so that "clubs" counts and "nightingale" doesn't.
  const isNamed = (word: string): boolean =>
    new RegExp(`(?<!\\p{Script=Latin})${word}s?(?!\\p{Script=Latin})`, 'iu').test(text)
  return keysOf(sceneWords).find((name) => sceneWords[name].some(isNamed))
}
