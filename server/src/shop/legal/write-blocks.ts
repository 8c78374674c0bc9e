import type { LegalBlock, LegalInline } from '@starside/contract/legal.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'

/**
 * The tree of a legal page as HTML, without any space that React wouldn't write: the browser's program
 * takes it over node by node (`web/src/legal/legal-page.tsx` makes the same).
 */
export function writeBlocks(blocks: readonly LegalBlock[]): Html {
  return html`${blocks.map(writeBlock)}`
}

function writeBlock(block: LegalBlock): Html {
  switch (block.kind) {
    case 'heading': {
      const children = writeInlines(block.children)
      if (block.level === 2) return html`<h2>${children}</h2>`
      return block.level === 3 ? html`<h3>${children}</h3>` : html`<h4>${children}</h4>`
    }
    case 'paragraph':
      return html`<p>${writeInlines(block.children)}</p>`
    case 'list': {
      const items = block.items.map((item) => html`<li>${item.map(writeBlock)}</li>`)
      const tag = block.isOrdered ? 'ol' : 'ul'
      return html`<${tag}>${items}</${tag}>`
    }
    case 'quote':
      return html`<blockquote>${block.children.map(writeBlock)}</blockquote>`
    case 'rule':
      return html`<hr />`
  }
}

function writeInlines(inlines: readonly LegalInline[]): Html[] {
  return inlines.map((inline) => {
    switch (inline.kind) {
      case 'text':
        return html`${inline.text}`
      case 'code':
        return html`<code>${inline.text}</code>`
      case 'break':
        return html`<br />`
      case 'strong':
        return html`<strong>${writeInlines(inline.children)}</strong>`
      case 'emphasis':
        return html`<em>${writeInlines(inline.children)}</em>`
      case 'link':
        return html`<a href="${inline.href}" rel="noopener">${writeInlines(inline.children)}</a>`
    }
  })
}
