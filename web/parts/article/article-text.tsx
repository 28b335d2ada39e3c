import { memo, type ReactNode, useLayoutEffect, useRef } from 'react'
import { cleanMail } from '../clean-mail.ts'
import { type Block, type Inline, readArticle } from './article-blocks.ts'

/** The text of an article as people read it: Markdown, or HTML where it begins with a tag. */
export const ArticleText = memo(function ArticleText({ text }: { readonly text: string }) {
  if (/^\s*<[a-z!]/i.test(text)) return <Markup text={text} />
  return readArticle(text).map((block, index) => <ShownBlock key={index} block={block} />)
})

const attached: ReadonlyMap<string, string> = new Map()

/** HTML that other systems wrote, built anew from what is allowed, in the look of the app; nothing runs. */
function Markup({ text }: { readonly text: string }) {
  const holder = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { content } = cleanMail(text, document, { attached, withRemote: false, withStyles: false })
    holder.current?.replaceChildren(content)
  }, [text])
  return <div ref={holder} />
}

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
