import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import Bold from 'lucide-react/icons/bold'
import Code from 'lucide-react/icons/code'
import Heading2 from 'lucide-react/icons/heading-2'
import Heading3 from 'lucide-react/icons/heading-3'
import Italic from 'lucide-react/icons/italic'
import Link from 'lucide-react/icons/link'
import List from 'lucide-react/icons/list'
import ListOrdered from 'lucide-react/icons/list-ordered'
import Quote from 'lucide-react/icons/quote'
import { type ClipboardEvent, memo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isLinkTarget } from '../parts/article/article-blocks.ts'
import { ArticleText } from '../parts/article/article-text.tsx'
import { writeArticle } from './write-article.ts'

/** Does something to what is selected in the editor. Deprecated and without a successor: every browser has it. */
const edit = (command: string, value?: string): boolean => document.execCommand(command, false, value)

/** A block that is this already becomes a paragraph again. */
const toggleBlock = (name: string): void => {
  const isIt = document.queryCommandValue('formatBlock').toLowerCase() === name
  edit('formatBlock', isIt ? 'p' : name)
}

const tools = [
  { name: 'bold', Icon: Bold, run: () => edit('bold') },
  { name: 'italic', Icon: Italic, run: () => edit('italic') },
  { name: 'heading', Icon: Heading2, run: () => toggleBlock('h2') },
  { name: 'subheading', Icon: Heading3, run: () => toggleBlock('h3') },
  { name: 'list', Icon: List, run: () => edit('insertUnorderedList') },
  { name: 'numbers', Icon: ListOrdered, run: () => edit('insertOrderedList') },
  { name: 'quote', Icon: Quote, run: () => toggleBlock('blockquote') },
  { name: 'code', Icon: Code, run: () => toggleBlock('pre') },
] as const

interface RichTextProps {
  /** What it begins with; later changes are the writer's. */
  readonly text: string
  readonly label: string
  readonly onChange: (text: string) => void
}

/** Writes the text of an article as it will look. */
export const RichText = memo(
  function RichText({ text, label, onChange }: RichTextProps) {
    const { t } = useTranslation()
    const area = useRef<HTMLDivElement>(null)
    const read = (): void => {
      if (area.current) onChange(writeArticle(area.current))
    }
    const run = (command: () => unknown): void => {
      area.current?.focus()
      command()
      read()
    }
    /** What is pasted comes without the look that it had elsewhere. */
    const paste = (event: ClipboardEvent): void => {
      event.preventDefault()
      edit('insertText', event.clipboardData.getData('text/plain'))
    }
    return (
      <div className="rich-text">
        <div className="rich-text-tools" role="toolbar" aria-label={t('articles.format')}>
          {tools.map(({ name, Icon, run: command }) => (
            <ActionIcon
              key={name}
              variant="subtle"
              color="gray"
              aria-label={t(`articles.${name}`)}
              title={t(`articles.${name}`)}
              // The selection stays where it is.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => run(command)}
            >
              <Icon size={16} />
            </ActionIcon>
          ))}
          <LinkTool onLink={(href) => run(() => edit('createLink', href))} />
        </div>
        <div
          ref={area}
          className="rich-text-area article-text"
          contentEditable
          suppressContentEditableWarning
          role="textbox"
          tabIndex={0}
          aria-multiline="true"
          aria-label={label}
          onFocus={() => edit('defaultParagraphSeparator', 'p')}
          onInput={read}
          onPaste={paste}
          onDrop={(event) => event.preventDefault()}
        >
          <ArticleText text={text} />
        </div>
      </div>
    )
  },
  // What is typed belongs to the browser: nothing is drawn anew over it.
  () => true,
)

/** Asks where a link leads, and keeps the selection meanwhile. */
function LinkTool({ onLink }: { readonly onLink: (href: string) => void }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [href, setHref] = useState('https://')
  const range = useRef<Range>(null)
  const add = (): void => {
    if (!isLinkTarget(href)) return
    setOpen(false)
    const selection = getSelection()
    if (range.current) {
      selection?.removeAllRanges()
      selection?.addRange(range.current)
    }
    onLink(href)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-start" width={300}>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('articles.link')}
          title={t('articles.link')}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            const selection = getSelection()
            range.current = selection?.rangeCount ? selection.getRangeAt(0).cloneRange() : null
            setHref('https://')
            setOpen(true)
          }}
        >
          <Link size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className="stack" aria-label={t('articles.link')}>
        <TextInput
          label={t('articles.address')}
          value={href}
          onChange={(event) => setHref(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <Button size="xs" onClick={add} disabled={!isLinkTarget(href)}>
          {t('articles.addLink')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
