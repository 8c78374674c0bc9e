import type { Scene } from '../../image-provider.ts'
import { sceneNames } from '../../image-provider.ts'
import { sceneDefinitions } from './scene-definitions.ts'

/** The scene that was asked for, else the first one that the prompt's words name, else `own`. */
export function chooseScene(scene: Scene | undefined, prompt: string | undefined): Scene {
  if (scene) return scene
  if (!prompt) return 'own'
  const words = prompt.toLowerCase()
  const [meant] =
    Object.entries(sceneDefinitions).find(([, definition]) =>
      definition.words.some((word) => contains(words, word)),
    ) ?? []
  return sceneNames.find((name) => name === meant) ?? 'own'
}

/** Latin words must stand alone, so that "clubs" counts and "nightingale" doesn't. */
function contains(text: string, word: string): boolean {
  if (!/^[\p{Script=Latin} ]+$/u.test(word)) return text.includes(word)
  return new RegExp(`(?<!\\p{L})${word}s?(?!\\p{L})`, 'u').test(text)
}
