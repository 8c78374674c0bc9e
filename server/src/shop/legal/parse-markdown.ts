import type { LegalNode } from '@starside/contract/legal.ts'
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
export function parseMarkdown(markdown: string): LegalNode[] {
  try {
    return readTokens(new Lexer({ gfm: false }).lex(markdown), { depth: 0, isInline: false })
  } catch (error) {
    // The lexer goes as deep as its text is nested, and a text of nothing but quotes is deep.
    if (error instanceof RangeError) return [{ tag: 'p', children: [markdown] }]
    throw error
  }
}

interface Place {
  depth: number
  /** Within a paragraph or a heading, where texts stand without an element of their own. */
  isInline: boolean
}

/** What tokens say, with neighbouring texts joined, so that every text is one node. */
function readTokens(tokens: readonly Token[], place: Place): LegalNode[] {
  const nodes: LegalNode[] = []
  for (const node of tokens.flatMap((token) => readToken(token, place))) {
    const last = nodes.at(-1)
    if (node === '') continue
    if (typeof node === 'string' && typeof last === 'string') nodes.splice(-1, 1, last + node)
    else nodes.push(node)
  }
  return nodes
}

function readToken(token: Token, { depth, isInline }: Place): LegalNode[] {
  const inner = 'tokens' in token && depth < depthMax ? token.tokens : undefined
  const read = (tokens: readonly Token[] = [], isWithinInline = true) =>
    readTokens(tokens, { depth: depth + 1, isInline: isWithinInline })
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'hr':
    case 'br':
      return [{ tag: token.type, children: [] }]
    case 'strong':
    case 'em':
      return [{ tag: token.type, children: read(inner) }]
    case 'blockquote':
      return [{ tag: 'blockquote', children: read(inner, false) }]
    case 'heading': {
      const { depth: level } = token as Tokens.Heading
      return [{ tag: level <= 2 ? 'h2' : level === 3 ? 'h3' : 'h4', children: read(inner) }]
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List
      const children = items.map(({ tokens }): LegalNode => ({
        tag: 'li',
        children: depth < depthMax ? read(tokens, false) : [],
      }))
      return [{ tag: ordered ? 'ol' : 'ul', children }]
    }
    case 'code':
      return [{ tag: 'p', children: [{ tag: 'code', children: [textOf(token)] }] }]
    case 'codespan':
      return [{ tag: 'code', children: [textOf(token)] }]
    case 'link': {
      const href = safeAddress((token as Tokens.Link).href)
      return href === undefined ? read(inner) : [{ tag: 'a', href, children: read(inner) }]
    }
    default: {
      // Paragraphs, the loose text of list items, and HTML, which stays text.
      const text = textOf(token)
      const children = inner === undefined ? [isInline ? text : text.trimEnd()] : read(inner)
      return isInline || children.every((child) => child === '')
        ? children
        : [{ tag: 'p', children }]
    }
  }
}

function textOf(token: Token): string {
  // HTML keeps its tags as text: people see what was written, nothing is made of it.
  if (token.type === 'html') return token.raw
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw
}

const safeSchemes: readonly string[] = ['https:', 'http:', 'mailto:']

/** The address where it leads to a page or a mail; undefined for every other. */
function safeAddress(address: string): string | undefined {
  if (/^\/(?![/\\])/.test(address) || address.startsWith('#')) return address
  const url = URL.parse(address)
  return url !== null && safeSchemes.includes(url.protocol) ? url.href : undefined
}
