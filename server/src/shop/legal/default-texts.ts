import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { languages } from '@starside/contract/languages.ts'
import type { Translated } from '@starside/contract/languages.ts'
import { legalPages } from '@starside/contract/legal-pages.ts'
import type { LegalPageName } from '@starside/contract/legal-pages.ts'

const folder = fileURLToPath(new URL('../../../legal/', import.meta.url))

/** The texts that come with the program, in Markdown: what it really does, with blanks. */
export async function readDefaultTexts(): Promise<Record<LegalPageName, Translated<string>>> {
  const read = async (page: LegalPageName) => {
    const texts = await Promise.all(
      languages.map(async (language) => [
        language,
        // The page has its title already.
        (await readFile(`${folder}${page}.${language}.md`, 'utf8')).replace(/^# .*\n+/, ''),
      ]),
    )
    return [page, Object.fromEntries(texts)] as const
  }
  // There is one of each list's member.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(await Promise.all(legalPages.map(read))) as Record<
    LegalPageName,
    Translated<string>
  >
}
