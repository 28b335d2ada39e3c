import { memo, type ReactNode } from 'react'
import { type Block, type Inline, readArticle } from './article-blocks.ts'

/** The text of an article as people read it. */
export const ArticleText = memo(function ArticleText({ text }: { readonly text: string }) {
  return readArticle(text).map((block, index) => <ShownBlock key={index} block={block} />)
})

function ShownBlock({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = block.level === 2 ? 'h2' : 'h3'
      return <Heading>{shown(block.content)}</Heading>
    }
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      )
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>{shown(item)}</li>
          ))}
        </List>
      )
    }
    case 'quote':
      return <blockquote>{shown(block.content)}</blockquote>
    case 'paragraph':
      return <p>{shown(block.content)}</p>
  }
}

/** A link opens a tab of its own, which learns nothing of where it came from. */
const shown = (content: readonly Inline[]): ReactNode =>
  content.map((one, index) => {
    if (typeof one === 'string') return one
    if (one.kind === 'break') return <br key={index} />
    if (one.kind === 'code') return <code key={index}>{one.text}</code>
    if (one.kind === 'link')
      return (
        <a key={index} href={one.href} target="_blank" rel="noopener noreferrer">
          {shown(one.content)}
        </a>
      )
    const Mark = one.kind
    return <Mark key={index}>{shown(one.content)}</Mark>
  })
