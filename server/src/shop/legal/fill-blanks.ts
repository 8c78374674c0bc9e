import { languageNames } from '@starside/contract/languages.ts'
import type { Language } from '@starside/contract/languages.ts'
import type { LegalNode } from '@starside/contract/legal.ts'
import { serverMessages } from '../../platform/messages/texts.ts'
import type { SiteValues } from '../../platform/site/site-settings.ts'

/** The blanks that texts may have, as `{{operator}}`. */
export const legalBlanks = ['site', 'operator', 'address', 'contact', 'photos'] as const

/** What the operator says of themselves; empty where nothing was set yet. */
export type OperatorDetails = Record<Exclude<(typeof legalBlanks)[number], 'photos'>, string>

/** Puts the details into a page's blanks as plain text; line breaks of an address stay. */
export function fillBlanks(
  nodes: readonly LegalNode[],
  language: Language,
  facts: { details: OperatorDetails; photoRecipients: readonly string[] },
): LegalNode[] {
  const services = new Intl.ListFormat(languageNames[language].tag).format(facts.photoRecipients)
  const photos = serverMessages[language].photos
  const valueOf = (name: string): string | undefined => {
    const blank = legalBlanks.find((known) => known === name)
    if (blank === undefined) return undefined
    if (blank === 'photos')
      return services === '' ? photos.inside : photos.outside.replace('{services}', services)
    return facts.details[blank].trim() || serverMessages[language].unfilled[blank]
  }
  const fill = (node: LegalNode): LegalNode[] => {
    if (typeof node === 'string') return fillText(node, valueOf)
    return [node.tag === 'code' ? node : { ...node, children: node.children.flatMap(fill) }]
  }
  return nodes.flatMap(fill)
}

/** A text with its blanks filled; each line break of a value becomes one of the page. */
function fillText(text: string, valueOf: (name: string) => string | undefined): LegalNode[] {
  const filled = text.replaceAll(/\{\{(\w+)\}\}/g, (blank, name: string) =>
    (valueOf(name) ?? blank).replaceAll(/\r?\n/g, lineBreak),
  )
  return filled.split(lineBreak).flatMap((line, index): LegalNode[] => {
    const rest = line === '' ? [] : [line]
    return index === 0 ? rest : [{ tag: 'br', children: [] }, ...rest]
  })
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
