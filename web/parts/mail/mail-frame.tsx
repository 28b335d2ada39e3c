import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IncomingMessage } from '../../api/about-record.ts'
import { fileQuery } from '../../api/files.ts'
import { cleanMail } from '../clean-mail.ts'
import { foldQuotes } from './fold-quotes.ts'

interface MailFrameProps {
  readonly html: string
  readonly title: string
  /** What is new in it, where that is known: it is never folded. */
  readonly textNew: string | undefined
  readonly attachments: IncomingMessage['attachments']
}

/** What a mail is as high as at most, before it scrolls. */
const maxHeight = 640

/** A mail as it was written. Nothing in it runs; pictures of other hosts, by which senders see who reads, are asked for. */
export default function MailFrame({ html, title, textNew, attachments }: MailFrameProps) {
  const { t } = useTranslation()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  const [withRemote, setWithRemote] = useState(false)
  const [hidden, setHidden] = useState(0)
  const [height, setHeight] = useState(120)
  const inline = attachments.flatMap(({ content_id: id, path }) => (id && path ? [{ id, path }] : []))
  const files = useQueries({ queries: inline.map(({ path }) => fileQuery(path)) })
  const addresses = files.map(({ data }) => data?.url ?? '')
  const attachedAt = addresses.join()
  const quoteLabel = t('timeline.showQuote')
  const attachedNow = useEffectEvent(
    () => new Map(inline.flatMap(({ id }, index) => (addresses[index] ? [[id, addresses[index]]] : []))),
  )

  useEffect(() => {
    const shown = frame.current?.contentDocument
    if (!isLoaded || !shown?.body) return undefined
    const attached = attachedNow()
    const mail = cleanMail(html, shown, { attached, withRemote })
    foldQuotes(mail.content, shown, { label: quoteLabel, textNew })
    shown.body.replaceChildren(mail.content)
    setHidden(mail.hidden)
    const measure = (): void => setHeight(Math.min(shown.body.scrollHeight, maxHeight))
    const observer = new ResizeObserver(measure)
    observer.observe(shown.body)
    return () => observer.disconnect()
  }, [isLoaded, html, withRemote, attachedAt, quoteLabel, textNew])

  return (
    <>
      <iframe
        ref={frame}
        key={String(withRemote)}
        className="mail-frame"
        title={title}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        src={withRemote ? '/mail-frame?pictures=all' : '/mail-frame'}
        style={{ height }}
        onLoad={() => setLoaded(true)}
      />
      {hidden > 0 && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            setLoaded(false)
            setWithRemote(true)
          }}
        >
          {t('record.showPictures', { count: hidden })}
        </Button>
      )}
    </>
  )
}
