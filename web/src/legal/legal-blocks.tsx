import type { LegalBlock, LegalInline } from '@starside/contract/legal.ts'

type LegalNode = LegalBlock | LegalInline

const headings = ['h2', 'h3', 'h4'] as const
/** Elements of what holds other parts and nothing else. */
const elements = { paragraph: 'p', quote: 'blockquote', strong: 'strong', emphasis: 'em' } as const

/**
 * The tree of a legal page. It is rendered as elements and never as HTML, so nothing in it can run.
 * The server writes the same elements (`server/src/shop/legal/write-blocks.ts`), which are taken over.
 */
export function LegalNodes({ nodes }: { nodes: readonly LegalNode[] }) {
  // A published text never changes its order.
  return nodes.map((node, index) => <Node key={index} node={node} />)
}

function Node({ node }: { node: LegalNode }) {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'code':
      return <code>{node.text}</code>
    case 'break':
      return <br />
    case 'rule':
      return <hr />
    case 'list': {
      const List = node.isOrdered ? 'ol' : 'ul'
      const items = node.items.map((item, index) => (
        <li key={index}>
          <LegalNodes nodes={item} />
        </li>
      ))
      return <List>{items}</List>
    }
    default: {
      const children = <LegalNodes nodes={node.children} />
      if (node.kind === 'link') {
        return (
          <a href={node.href} rel="noopener">
            {children}
          </a>
        )
      }
      const Element =
        node.kind === 'heading' ? (headings[node.level - 2] ?? 'h4') : elements[node.kind]
      return <Element>{children}</Element>
    }
  }
}
