import { languageNames } from '@starside/contract/languages.ts'
import type { Language } from '@starside/contract/languages.ts'
import type { LegalBlock, LegalInline } from '@starside/contract/legal.ts'
import { serverMessages } from '../../platform/messages/texts.ts'
import type { SiteValues } from '../../platform/site/site-settings.ts'

/** What the operator says of themselves; empty where nothing was set yet. */
export interface OperatorDetails {
  site: string
  operator: string
  address: string
  contact: string
}

/** The blanks that texts may have, as `{{operator}}`. */
export const legalBlanks = ['site', 'operator', 'address', 'contact', 'photos'] as const

/**
 * Puts the details into the blanks of a page. What comes in is text and nothing else, however it is
 * written; line breaks of an address stay.
 */
export function fillBlanks(
  blocks: readonly LegalBlock[],
  language: Language,
  facts: { details: OperatorDetails; photoRecipients: readonly string[] },
): LegalBlock[] {
  const services = new Intl.ListFormat(languageNames[language].tag).format(facts.photoRecipients)
  const photos = serverMessages[language].photos
  const valueOf = (name: string): string | undefined => {
    const blank = legalBlanks.find((known) => known === name)
    if (blank === undefined) return undefined
    if (blank === 'photos')
      return services === '' ? photos.inside : photos.outside.replace('{services}', services)
    return facts.details[blank].trim() || serverMessages[language].unfilled[blank]
  }
  return blocks.map((block) => fillBlock(block, valueOf))
}

type ValueOf = (name: string) => string | undefined

function fillBlock(block: LegalBlock, valueOf: ValueOf): LegalBlock {
  const fill = (inner: LegalBlock) => fillBlock(inner, valueOf)
  if (block.kind === 'rule') return block
  if (block.kind === 'list') return { ...block, items: block.items.map((item) => item.map(fill)) }
  if (block.kind === 'quote') return { ...block, children: block.children.map(fill) }
  return { ...block, children: fillInlines(block.children, valueOf) }
}

function fillInlines(inlines: readonly LegalInline[], valueOf: ValueOf): LegalInline[] {
  return inlines.flatMap((inline): LegalInline[] => {
    if (inline.kind === 'text') return fillText(inline.text, valueOf)
    if ('children' in inline) {
      return [{ ...inline, children: fillInlines(inline.children, valueOf) }]
    }
    return [inline]
  })
}

/** A text with its blanks filled; each line break of a value becomes one of the page. */
function fillText(text: string, valueOf: ValueOf): LegalInline[] {
  const filled = text.replaceAll(/\{\{(\w+)\}\}/g, (blank, name: string) =>
    (valueOf(name) ?? blank).replaceAll(/\r?\n/g, lineBreak),
  )
  return filled
    .split(lineBreak)
    .flatMap((line, index): LegalInline[] => [
      ...(index === 0 ? [] : [{ kind: 'break' } as const]),
      ...(line === '' ? [] : [{ kind: 'text', text: line } as const]),
    ])
}

/** A character that stands in no text: from the private use area. */
const lineBreak = '\uE000'

export function operatorDetails(values: SiteValues): OperatorDetails {
  return {
    site: values['brand.name'],
    operator: values['legal.operator'],
    address: values['legal.address'],
    contact: values['brand.contactEmail'],
  }
}
