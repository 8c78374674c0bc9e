import type { LegalBlock, LegalInline } from '@starside/contract/legal.ts'

/**
 * The tree of a legal page. It is rendered as elements and never as HTML, so nothing in it can run.
 * The server writes the same elements (`server/src/shop/legal/write-blocks.ts`), which are taken over.
 */
export function LegalBlocks({ blocks }: { blocks: readonly LegalBlock[] }) {
  // A published text never changes its order.
  return blocks.map((block, index) => <Block key={index} block={block} />)
}

function Block({ block }: { block: LegalBlock }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = (['h2', 'h3', 'h4'] as const)[block.level - 2] ?? 'h4'
      return (
        <Heading>
          <Inlines inlines={block.children} />
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p>
          <Inlines inlines={block.children} />
        </p>
      )
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>
              <LegalBlocks blocks={item} />
            </li>
          ))}
        </List>
      )
    }
    case 'quote':
      return (
        <blockquote>
          <LegalBlocks blocks={block.children} />
        </blockquote>
      )
    case 'rule':
      return <hr />
  }
}

function Inlines({ inlines }: { inlines: readonly LegalInline[] }) {
  return inlines.map((inline, index) => <Inline key={index} inline={inline} />)
}

function Inline({ inline }: { inline: LegalInline }) {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return <code>{inline.text}</code>
    case 'break':
      return <br />
    case 'strong':
      return (
        <strong>
          <Inlines inlines={inline.children} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <Inlines inlines={inline.children} />
        </em>
      )
    case 'link':
      return (
        <a href={inline.href} rel="noopener">
          <Inlines inlines={inline.children} />
        </a>
      )
  }
}
