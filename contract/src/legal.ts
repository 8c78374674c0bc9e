import { z } from 'zod'
import { languages } from './languages.ts'
import { legalPages } from './legal-pages.ts'
import { successful } from './successful.ts'

/** What a legal page is made of; headings of level 2 are the highest, as the page's own is 1. */
const legalTags = [
  ...(['h2', 'h3', 'h4', 'p', 'ul', 'ol', 'li', 'blockquote', 'hr'] as const),
  ...(['strong', 'em', 'code', 'a', 'br'] as const),
] as const

export interface LegalElement {
  tag: (typeof legalTags)[number]
  /** Of a link alone; begins with https:, http:, mailto:, # or one slash. */
  href?: string
  children: LegalNode[]
}

/** A part of a legal page: a text, or an element around others. */
export type LegalNode = string | LegalElement

const node: z.ZodType<LegalNode> = z.lazy(() =>
  z.union([
    z.string(),
    z.object({
      tag: z.enum(legalTags),
      href: z.string().exactOptional(),
      children: z.array(node),
    }),
  ]),
)

export const legalPageQuery = z.object({ language: z.enum(languages).optional() })

/** Answer of `GET /legal/:page`: a page as a tree, which can hold nothing that runs. */
export const legalPageAnswer = successful({
  page: z.enum(legalPages),
  language: z.enum(languages),
  version: z.string(),
  blocks: z.array(node),
})
export type LegalPageAnswer = z.infer<typeof legalPageAnswer>

export const acceptTermsInput = z.object({ version: z.string().max(40) })
