import type { Language } from '@starside/contract/languages.ts'
import type { LegalPageAnswer, LegalBlock, LegalInline } from '@starside/contract/legal.ts'
import { legalDataId, legalPages, legalTextAttribute } from '@starside/contract/legal-pages.ts'
import type { LegalPageName } from '@starside/contract/legal-pages.ts'
import type { LegalTexts } from './legal-texts.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { defaultLanguage } from '@starside/contract/languages.ts'
import { legalRoutes as declared } from '@starside/contract/routes/legal-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { GuardParts } from '../../accounts/auth/session.ts'
import type { ShopParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'

function describeLegalPage(
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

const tags = { paragraph: 'p', quote: 'blockquote', strong: 'strong', emphasis: 'em' } as const

/**
 * The tree of a legal page as HTML, without any space that React wouldn't write: the browser's program
 * takes it over node by node (`web/src/legal/legal-page.tsx` makes the same).
 */
export function writeBlocks(blocks: readonly (LegalBlock | LegalInline)[]): Html {
  return html`${blocks.map(writeNode)}`
}

function writeNode(node: LegalBlock | LegalInline): Html {
  switch (node.kind) {
    case 'text':
      return html`${node.text}`
    case 'code':
      return html`<code>${node.text}</code>`
    case 'break':
      return html`<br />`
    case 'rule':
      return html`<hr />`
    case 'link':
      return html`<a href="${node.href}" rel="noopener">${writeBlocks(node.children)}</a>`
    case 'list':
      return element(
        node.isOrdered ? 'ol' : 'ul',
        node.items.map((item) => element('li', writeBlocks(item))),
      )
    case 'heading':
      return element(`h${node.level}`, writeBlocks(node.children))
    case 'paragraph':
    case 'quote':
    case 'strong':
    case 'emphasis':
      return element(tags[node.kind], writeBlocks(node.children))
  }
}

function element(tag: string, content: Html | readonly Html[]): Html {
  return html`<${tag}>${content}</${tag}>`
}

export async function legalRoutes(
  app: FastifyInstance,
  { context }: { context: ShopParts & GuardParts },
): Promise<void> {
  const { legalTexts } = context
  serveRoutes(app, guardsOf(context), declared, {
    'GET /api/legal/:page': async ({ params, query, reply }) => {
      const page = legalPages.find((name) => name === params.page)
      if (page === undefined) throw new AppError('not_found')
      void reply.header('cache-control', 'no-cache')
      return describeLegalPage(legalTexts, page, query.language ?? defaultLanguage)
    },
  })
}
