import type { LegalBlock, LegalInline } from '@starside/contract/legal.ts'
import { Lexer } from 'marked'
import type { Token, Tokens } from 'marked'

/** Nested deeper than anybody writes; a bound, as the tree is walked by recursion. */
const depthMax = 12

/**
 * Reads a text in Markdown (CommonMark) into a tree of what a legal page may hold: headings, paragraphs,
 * lists, quotes, rules, emphasis, code and links. Whatever else is written, HTML above all, stays
 * the text that it is; a link to anything but https:, http:, mailto: or a page of this host is its
 * text alone. Pictures are not loaded: their description stands in their place. A text that is nested
 * beyond measure is one paragraph as it was written.
 */
export function parseMarkdown(markdown: string): LegalBlock[] {
  try {
    return readBlocks(new Lexer({ gfm: false }).lex(markdown), 0)
  } catch (error) {
    // The lexer goes as deep as its text is nested, and a text of nothing but quotes is deep.
    if (error instanceof RangeError) return [{ kind: 'paragraph', children: asText(markdown) }]
    throw error
  }
}

function readBlocks(tokens: readonly Token[], depth: number): LegalBlock[] {
  if (depth > depthMax) return []
  return tokens.flatMap((token): LegalBlock[] => {
    switch (token.type) {
      case 'space':
      case 'def':
        return []
      case 'hr':
        return [{ kind: 'rule' }]
      case 'heading': {
        const { depth: level } = token as Tokens.Heading
        const children = readInlines(token, depth)
        return [{ kind: 'heading', level: level <= 2 ? 2 : level === 3 ? 3 : 4, children }]
      }
      case 'list': {
        const { ordered, items } = token as Tokens.List
        return [
          {
            kind: 'list',
            isOrdered: ordered,
            items: items.map((item) => readBlocks(item.tokens, depth + 1)),
          },
        ]
      }
      case 'blockquote':
        return [{ kind: 'quote', children: readBlocks(token.tokens ?? [], depth + 1) }]
      case 'code': {
        const { text } = token as Tokens.Code
        return [{ kind: 'paragraph', children: [{ kind: 'code', text }] }]
      }
      default: {
        // Paragraphs, the loose text of list items, and HTML, which stays text.
        const children = readInlines(token, depth)
        return children.length === 0 ? [] : [{ kind: 'paragraph', children }]
      }
    }
  })
}

/** What stands in a token, with neighbouring texts joined, so that every text is one node. */
function readInlines(token: Token, depth: number): LegalInline[] {
  const inner = 'tokens' in token && token.tokens !== undefined ? token.tokens : undefined
  if (inner === undefined || depth > depthMax) return asText(textOf(token).trimEnd())
  const inlines: LegalInline[] = []
  for (const inline of inner.flatMap((child) => readInline(child, depth + 1))) {
    const last = inlines.at(-1)
    if (inline.kind === 'text' && last?.kind === 'text') last.text += inline.text
    else inlines.push(inline)
  }
  return inlines
}

function readInline(token: Token, depth: number): LegalInline[] {
  switch (token.type) {
    case 'br':
      return [{ kind: 'break' }]
    case 'codespan':
      return [{ kind: 'code', text: textOf(token) }]
    case 'strong':
      return [{ kind: 'strong', children: readInlines(token, depth) }]
    case 'em':
      return [{ kind: 'emphasis', children: readInlines(token, depth) }]
    case 'link': {
      const children = readInlines(token, depth)
      const href = safeAddress((token as Tokens.Link).href)
      return href === undefined ? children : [{ kind: 'link', href, children }]
    }
    case 'text':
      return 'tokens' in token && token.tokens !== undefined
        ? readInlines(token, depth)
        : asText(textOf(token))
    default:
      return asText(textOf(token))
  }
}

function textOf(token: Token): string {
  // HTML keeps its tags as text: people see what was written, nothing is made of it.
  if (token.type === 'html') return token.raw
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw
}

function asText(text: string): LegalInline[] {
  return text === '' ? [] : [{ kind: 'text', text }]
}

const safeSchemes: readonly string[] = ['https:', 'http:', 'mailto:']

/** The address where it leads to a page or a mail; undefined for every other. */
function safeAddress(address: string): string | undefined {
  if (/^\/(?![/\\])/.test(address) || address.startsWith('#')) return address
  const url = URL.parse(address)
  return url !== null && safeSchemes.includes(url.protocol) ? url.href : undefined
}
