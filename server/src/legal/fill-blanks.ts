import { languageNames } from '@starside/contract/languages.ts'
import type { Language, Translated } from '@starside/contract/languages.ts'
import type { LegalBlock, LegalInline } from '@starside/contract/legal.ts'

/** What the operator tells of themselves; empty where nothing was told yet. */
export interface OperatorDetails {
  site: string
  operator: string
  address: string
  contact: string
}

/** The blanks that texts may have, as `{{operator}}`. */
export const legalBlanks = ['site', 'operator', 'address', 'contact', 'photos'] as const
type Blank = (typeof legalBlanks)[number]

/** What stands where nothing was told yet, for everybody to see. */
const unfilled: Translated<Record<Exclude<Blank, 'photos'>, string>> = {
  en: {
    site: '[name of the site]',
    operator: '[name of the operator]',
    address: '[address of the operator]',
    contact: '[e-mail of the operator]',
  },
  es: {
    site: '[nombre del sitio]',
    operator: '[nombre del titular]',
    address: '[dirección del titular]',
    contact: '[correo del titular]',
  },
  zh: {
    site: '［网站名称］',
    operator: '［运营者名称］',
    address: '［运营者地址］',
    contact: '［运营者邮箱］',
  },
}

/** Where photos go on this installation; the program knows it better than a text. */
const photoTexts: Translated<{ inside: string; outside: string }> = {
  en: {
    inside: 'On this site, photos stay on our own server and go to nobody else.',
    outside:
      'On this site, both photos of a selfie are also sent to {services}. How long they are kept there follows the terms of that service.',
  },
  es: {
    inside:
      'En este sitio, las fotos se quedan en nuestro propio servidor y no se entregan a nadie más.',
    outside:
      'En este sitio, las dos fotos de un selfie se envían también a {services}. Cuánto tiempo se guardan allí depende de las condiciones de ese servicio.',
  },
  zh: {
    inside: '在本站，照片只保存在我们自己的服务器上，不会交给任何其他方。',
    outside:
      '在本站，每张自拍的两张照片还会发送给 {services}。照片在那里保存多久，取决于该服务的条款。',
  },
}

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
  const photos = photoTexts[language]
  const valueOf = (name: string): string | undefined => {
    const blank = legalBlanks.find((known) => known === name)
    if (blank === undefined) return undefined
    if (blank === 'photos')
      return services === '' ? photos.inside : photos.outside.replace('{services}', services)
    return facts.details[blank].trim() || unfilled[language][blank]
  }
  return blocks.map((block) => fillBlock(block, valueOf))
}

type ValueOf = (name: string) => string | undefined

function fillBlock(block: LegalBlock, valueOf: ValueOf): LegalBlock {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return { ...block, children: fillInlines(block.children, valueOf) }
    case 'list':
      return {
        ...block,
        items: block.items.map((item) => item.map((inner) => fillBlock(inner, valueOf))),
      }
    case 'quote':
      return { ...block, children: block.children.map((inner) => fillBlock(inner, valueOf)) }
    case 'rule':
      return block
  }
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
