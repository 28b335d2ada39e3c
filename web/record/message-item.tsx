import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import CalendarDays from 'lucide-react/icons/calendar-days'
import Lock from 'lucide-react/icons/lock'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type IncomingMessage, type MailInvitation, messageQuery, type TimelineEntry } from '../api/about-record.ts'
import { FileLink } from '../fields/types/file.tsx'
import { Loading } from '../parts/states.tsx'
import { Moment } from '../parts/time.tsx'

const MailFrame = lazy(() => import('../parts/mail/mail-frame.tsx'))

/** A message that made the record or answers to it: as its sender wrote it, or as plain text. */
export function MessageItem({ entry }: { readonly entry: TimelineEntry }) {
  const { t } = useTranslation()
  const shown = entry.data as unknown as IncomingMessage
  // A long message is cut in the timeline; whoever may read all of it reads it here.
  const { data: whole, isLoading } = useQuery({
    ...messageQuery(shown.id),
    enabled: entry.is_shortened === true && entry.href !== undefined,
  })
  const message = whole ?? shown
  const html = entry.is_shortened && !whole ? undefined : htmlOf(message)
  const author = message.from_name ?? message.from_email ?? t('record.somebody')
  // Whoever may read messages has them in the payload.
  const { invitation, protection, truncated }: Pick<IncomingMessage, 'invitation' | 'protection' | 'truncated'> = {
    ...shown.payload,
    ...shown,
  }
  return (
    <li className={shown.is_internal ? 'timeline-item comment is-internal' : 'timeline-item comment'}>
      <header>
        <b>{author}</b>
        {shown.is_internal && (
          <span className="badge note-badge">
            <Lock size={12} aria-hidden /> {t('composer.mode_note')}
          </span>
        )}
        {message.from_name && message.from_email && <span className="quiet">{message.from_email}</span>}
        <span className="quiet">
          <Moment at={entry.at} short />
        </span>
      </header>
      <MailNames names={shown.to} label={t('composer.toLabel')} />
      <MailNames names={shown.cc} label={t('composer.cc')} />
      {message.subject && <p className="message-subject">{message.subject}</p>}
      {isLoading ? <Loading lines={3} /> : <MessageBody message={message} html={html} />}
      {invitation && <InvitationCard invitation={invitation} />}
      {message.attachments.map(({ path, name, content_id: id, problem }) =>
        path ? (
          !id && <FileLink key={path + name} path={path} />
        ) : (
          <p key={name} className="quiet small">
            {t('timeline.fileNotKept', { name, problem: problem ?? '' })}
          </p>
        ),
      )}
      {protection && <p className="quiet small">{t(`timeline.protection_${protection}`)}</p>}
      {truncated && (
        <p className="quiet small">
          {t('timeline.cut', { what: truncated.map((part) => t(`timeline.cut_${part}`)).join(', ') })}
        </p>
      )}
    </li>
  )
}

/** The meeting that a mail is about. */
function InvitationCard({ invitation }: { readonly invitation: MailInvitation }) {
  const { t } = useTranslation()
  const { method, summary, when, location, organizer, repeats } = invitation
  const kind = method === 'cancel' || method === 'reply' ? method : 'request'
  const lines = [when && repeats ? `${when} · ${t('timeline.meetingRepeats')}` : when, location, organizer].filter(
    Boolean,
  )
  return (
    <section className="mail-card" aria-label={t(`timeline.meeting_${kind}`)}>
      <CalendarDays size={20} aria-hidden />
      <div>
        <p className="quiet small">{t(`timeline.meeting_${kind}`)}</p>
        <p dir="auto">
          <b>{summary || t('timeline.meetingUnnamed')}</b>
        </p>
        {lines.map((line) => (
          <p key={line} dir="auto" className="small">
            {line}
          </p>
        ))}
      </div>
    </section>
  )
}

interface MailNamesProps {
  readonly names: IncomingMessage['to']
  readonly label: string
}

/** To whom a mail went, as it says. */
function MailNames({ names = [], label }: MailNamesProps) {
  const shown = names.flatMap(({ name, email }) => email ?? name ?? [])
  if (shown.length === 0) return null
  return (
    <p className="quiet small">
      {label}: {shown.join(', ')}
    </p>
  )
}

interface MessageBodyProps {
  readonly message: IncomingMessage
  readonly html: string | undefined
}

/** The text of a message. */
export function MessageBody({ message, html }: MessageBodyProps) {
  const { t } = useTranslation()
  const [isPlain, setPlain] = useState(false)
  if (html === undefined) return <PlainBody message={message} />
  return (
    <>
      {isPlain ? (
        <PlainBody message={message} />
      ) : (
        <Suspense fallback={<Loading lines={4} />}>
          <MailFrame
            html={html}
            title={t('record.mailOf', { name: message.from_name ?? message.from_email ?? '' })}
            textNew={message.body_new}
            attachments={message.attachments}
          />
        </Suspense>
      )}
      <Button size="compact-sm" variant="subtle" onClick={() => setPlain(!isPlain)}>
        {isPlain ? t('record.asMail') : t('record.asText')}
      </Button>
    </>
  )
}

/** A text; what it quotes is folded. */
function PlainBody({ message: { body, body_new: text } }: Pick<MessageBodyProps, 'message'>) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <p className="comment-body">{isWhole ? body : (text ?? body)}</p>
      {text !== undefined && text !== body && (
        <Button size="compact-sm" variant="subtle" onClick={() => setWhole(!isWhole)}>
          {t(isWhole ? 'timeline.hideQuote' : 'timeline.showQuote')}
        </Button>
      )}
    </>
  )
}

/** Only mails are cleaned when they are received: HTML of other channels is not shown. */
export const htmlOf = ({ channel, html, payload }: IncomingMessage): string | undefined => {
  const found = html ?? payload?.['html']
  return channel === 'email' && typeof found === 'string' && found.trim() !== '' ? found : undefined
}
