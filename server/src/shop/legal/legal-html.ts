import type { Language } from '@starside/contract/languages.ts'
import type { LegalPageAnswer } from '@starside/contract/legal.ts'
import { legalDataId, legalPages, legalTextAttribute } from '@starside/contract/legal-pages.ts'
import type { LegalPageName } from '@starside/contract/legal-pages.ts'
import type { LegalTexts } from './legal-texts.ts'
import { writeBlocks } from './write-blocks.ts'

/** The published page as the API answers it. */
export function describeLegalPage(
  texts: LegalTexts,
  page: LegalPageName,
  language: Language,
): LegalPageAnswer {
  return { success: true, page, language, ...texts.read(page, language) }
}

/**
 * Puts the published text of a legal page into its prerendered document, for readers without scripts,
 * and the same as data beside it, from which the browser's program takes it over. Any other page
 * stays as it is.
 */
export function fillLegalPage(
  texts: LegalTexts,
  document: string,
  { name, language }: { name: string; language: Language },
): string {
  const page = legalPages.find((legal) => legal === name)
  if (page === undefined) return document
  const answer = describeLegalPage(texts, page, language)
  // No text can end the element: `<` is written as its escape.
  const data = JSON.stringify(answer).replaceAll('<', String.raw`\u003c`)
  return document
    .replace(
      new RegExp(`(<div[^>]*${legalTextAttribute}[^>]*>)(</div>)`),
      (_whole, open: string, close: string) => open + writeBlocks(answer.blocks).text + close,
    )
    .replace(
      '</body>',
      () => `<script type="application/json" id="${legalDataId}">${data}</script></body>`,
    )
}
