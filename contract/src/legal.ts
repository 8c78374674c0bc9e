import { z } from 'zod'
import { languages } from './languages.ts'
import { legalPages } from './legal-pages.ts'

/** A run of text of a legal page. Addresses of links begin with https:, http:, mailto: or one slash. */
export type LegalInline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis'; children: LegalInline[] }
  | { kind: 'link'; href: string; children: LegalInline[] }

/** A part of a legal page; headings of level 2 are the highest, as the page's own is 1. */
export type LegalBlock =
  | { kind: 'heading'; level: 2 | 3 | 4; children: LegalInline[] }
  | { kind: 'paragraph'; children: LegalInline[] }
  | { kind: 'list'; isOrdered: boolean; items: LegalBlock[][] }
  | { kind: 'quote'; children: LegalBlock[] }
  | { kind: 'rule' }

const inline: z.ZodType<LegalInline> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('code'), text: z.string() }),
    z.object({ kind: z.literal('break') }),
    z.object({ kind: z.enum(['strong', 'emphasis']), children: z.array(inline) }),
    z.object({ kind: z.literal('link'), href: z.string(), children: z.array(inline) }),
  ]),
)

const block: z.ZodType<LegalBlock> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('heading'),
      level: z.union([z.literal(2), z.literal(3), z.literal(4)]),
      children: z.array(inline),
    }),
    z.object({ kind: z.literal('paragraph'), children: z.array(inline) }),
    z.object({
      kind: z.literal('list'),
      isOrdered: z.boolean(),
      items: z.array(z.array(block)),
    }),
    z.object({ kind: z.literal('quote'), children: z.array(block) }),
    z.object({ kind: z.literal('rule') }),
  ]),
)

export const legalPageQuery = z.object({ language: z.enum(languages).optional() })

/** Answer of `GET /legal/:page`: a page as a tree, which can hold nothing that runs. */
export const legalPageAnswer = z.object({
  success: z.literal(true),
  page: z.enum(legalPages),
  language: z.enum(languages),
  version: z.string(),
  blocks: z.array(block),
})
export type LegalPageAnswer = z.infer<typeof legalPageAnswer>

export const acceptTermsInput = z.object({ version: z.string().max(40) })
