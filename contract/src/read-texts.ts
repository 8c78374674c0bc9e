import { readFileSync } from 'node:fs'
import { inEveryLanguage } from './languages.ts'
import type { Translated } from './languages.ts'
import type mails from './texts/en/mails.json'
import type offline from './texts/en/offline.json'
import type packages from './texts/en/packages.json'
import type server from './texts/en/server.json'

/** The areas that programs of Node say; the browser's are those of the web app's catalogues. */
interface TextAreas {
  /** Mails to people; those to operators are English. */
  mails: typeof mails
  /** The page without a connection, which is made with the build. */
  offline: typeof offline
  /** The specification's packages, while the operator has set none. */
  packages: typeof packages
  /** Shown by the server; `scripts/make-han-letters.ts` draws the Han characters of its cards. */
  server: typeof server
}

/** The texts of one area in every language, read at the start. */
export function readTexts<Area extends keyof TextAreas>(area: Area): Translated<TextAreas[Area]> {
  return inEveryLanguage((language) => {
    const file = new URL(`./texts/${language}/${area}.json`, import.meta.url)
    return JSON.parse(readFileSync(file, 'utf8')) as TextAreas[Area]
  })
}
