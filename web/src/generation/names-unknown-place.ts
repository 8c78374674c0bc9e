import { usePublicSettings } from '../api/use-public-settings.ts'
import { useMessages } from '../ui/language.tsx'
import type { Wishes } from './gather-request.ts'
import { sceneOfWords } from '@starside/contract/scene-of-words.ts'
import sceneWords from '@starside/contract/scene-words.json'
import lookWords from './look-words.json'

/** Latin words that stand alone, and Chinese ones, about people, light, looks and the scenes. */
const known = [...lookWords, ...Object.values(sceneWords).flat()].join('|')
const knownWords = new RegExp(`(?<!\\p{sc=Latin})(${known})s?(?!\\p{sc=Latin})`, 'giu')

/** What is said of words that name a place which nobody will see, and where another is chosen; null once one is. */
export function useUnknownPlace({ prompt, scene }: Wishes) {
  const m = useMessages('dashboard')
  // Our own compositor paints nothing; image models outside follow every word.
  const staysHere = usePublicSettings()?.photoRecipients.length === 0
  const isNamed = namesUnknownPlace(prompt) && (scene === 'own' || scene === sceneOfWords(prompt))
  return staysHere && isNamed ? { sentence: m.placeUnknown, at: 'wishes' } : null
}

/** Whether words say more than scenes, people, light and looks; beside a scene that is a name, as in 'the Eiffel Tower at night'. */
export function namesUnknownPlace(words: string): boolean {
  const rest = words.replace(knownWords, '·')
  return /\p{L}{2}/u.test(rest) && (!sceneOfWords(words) || /\S.*\p{Lu}\p{Ll}{2}/su.test(rest))
}
