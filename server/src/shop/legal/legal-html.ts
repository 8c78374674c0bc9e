import type { Language } from '@starside/contract/languages.ts'
import type { LegalElement, LegalNode, LegalPageAnswer } from '@starside/contract/legal.ts'
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
 * Puts a legal page's published text into its prerendered document, as HTML and as data that the
 * browser's program takes over. Any other page stays as it is.
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
      (_whole, open: string, close: string) => open + writeNodes(answer.blocks).text + close,
    )
    .replace(
      '</body>',
      () => `<script type="application/json" id="${legalDataId}">${data}</script></body>`,
    )
}

/** A legal page as HTML, with just the nodes and spaces of `web/src/legal/legal-page.tsx`. */
export function writeNodes(nodes: readonly LegalNode[]): Html {
  return html`${nodes.map((node) => (typeof node === 'string' ? node : writeElement(node)))}`
}

function writeElement({ tag, href, children }: LegalElement): Html {
  if (tag === 'br' || tag === 'hr') return html`<${tag} />`
  const link = href !== undefined && html` href="${href}" rel="noopener"`
  return html`<${tag}${link}>${writeNodes(children)}</${tag}>`
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
