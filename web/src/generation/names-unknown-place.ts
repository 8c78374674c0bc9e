import { sceneOfWords } from '@starside/contract/scene-of-words.ts'
import lookWords from './look-words.json'

/** Latin words that stand alone, and Chinese ones, about people, light and looks. */
const looks = new RegExp(`(?<!\\p{sc=Latin})(${lookWords.join('|')})(?!\\p{sc=Latin})`, 'giu')

/** Whether words name no scene, and say more than how people and light look. */
export function namesUnknownPlace(words: string): boolean {
  return sceneOfWords(words) === undefined && /\p{L}{2}/u.test(words.replace(looks, ' '))
}
