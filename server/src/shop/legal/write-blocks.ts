import type { LegalBlock, LegalInline } from '@starside/contract/legal.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'

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
    default:
      return element(tags[node.kind], writeBlocks(node.children))
  }
}

function element(tag: string, content: Html | readonly Html[]): Html {
  return html`<${tag}>${content}</${tag}>`
}
