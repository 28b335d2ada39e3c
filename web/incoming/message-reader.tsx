import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { type ButtonRule, buttonRulesQuery, type ReceivedMessage, useSetAside } from '../api/incoming.ts'
import { may, useUser } from '../api/permissions.ts'
import { tablesQuery } from '../api/tables.ts'
import { FileLink } from '../fields/types/file.tsx'
import { useKeys } from '../keyboard/keyboard.tsx'
import SuggestedArticles from '../parts/article/suggested-articles.tsx'
import { ColouredLabel } from '../parts/coloured-label.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { Loading } from '../parts/states.tsx'
import { Moment } from '../parts/time.tsx'
import { offerUndo } from '../parts/undo.tsx'
import { MakeRecord } from './make-record.tsx'
import { subjectOf } from './message-list.tsx'
import { RulePreview } from './rule-preview.tsx'

const MailFrame = lazy(() => import('../parts/mail/mail-frame.tsx'))

interface MessageReaderProps {
  readonly message: ReceivedMessage
  readonly onDone: () => void
  readonly onBack: () => void
}

/** What is being done with the message: a rule looked at, or a record filled in. */
type Doing = { readonly rule: ButtonRule } | 'record' | undefined

/** A message, and what can be made of it. */
export function MessageReader({ message, onDone, onBack }: MessageReaderProps) {
  const { t } = useTranslation()
  const user = useUser()
  const messageOf = useMessageOf()
  const [doing, setDoing] = useState<Doing>()
  const { data: rules = [] } = useQuery(buttonRulesQuery)
  const { data: tables = [] } = useQuery(tablesQuery)
  const aside = useSetAside()
  const creatable = tables.filter(({ name, is_system: isSystem }) => !isSystem && may(user, 'create', name))
  const buttons = rules.filter(({ channel }) => channel === 'all' || channel === message.channel)
  const isOpen = !message.is_processed
  const mayDismiss = may(user, 'update', 'incoming_messages')

  const setAside = (isAside: boolean): void => {
    aside.mutate({ message: message.id, isAside })
    if (!isAside) return
    onDone()
    offerUndo(t('incoming.setAside'), t('parts.undo'), () => aside.mutate({ message: message.id, isAside: false }))
  }
  useKeys([
    ...(creatable.length > 0 ? [{ keys: 'c', label: t('incoming.make'), run: () => setDoing('record') }] : []),
    ...(isOpen && mayDismiss ? [{ keys: 'd', label: t('incoming.dismiss'), run: () => setAside(true) }] : []),
    ...buttons.slice(0, 9).map((rule, index) => ({
      keys: String(index + 1),
      label: rule.button_label ?? rule.name,
      run: () => setDoing({ rule }),
    })),
  ])
  return (
    <article className="incoming-open">
      <header className="stack">
        <div className="incoming-entry-line">
          <ActionIcon
            className="only-narrow"
            variant="subtle"
            color="gray"
            onClick={onBack}
            aria-label={t('incoming.back')}
          >
            <ArrowLeft size={18} />
          </ActionIcon>
          <h2>{subjectOf(message)}</h2>
        </div>
        <p className="comment-head">
          {message.from_name && <b>{message.from_name}</b>}
          <span className="quiet">{message.from_email ?? message.from_id}</span>
          <span className="quiet">{t(`incoming.${message.channel}`)}</span>
          <span className="quiet">
            <Moment at={message.received_at} />
          </span>
        </p>
        <Outcomes message={message} />
        <div className="record-actions">
          {creatable.length > 0 && <Button onClick={() => setDoing('record')}>{t('incoming.make')}</Button>}
          {buttons.map((rule) => (
            <Button key={rule.id} variant="default" onClick={() => setDoing({ rule })}>
              {rule.button_color ? (
                <ColouredLabel label={rule.button_label ?? rule.name} color={rule.button_color} />
              ) : (
                (rule.button_label ?? rule.name)
              )}
            </Button>
          ))}
          {isOpen && mayDismiss && (
            <Button variant="subtle" color="gray" onClick={() => setAside(true)}>
              {t('incoming.dismiss')}
            </Button>
          )}
          {aside.error && (
            <p className="problem" role="alert">
              {messageOf(aside.error)}
            </p>
          )}
        </div>
        {doing === 'record' && (
          <MakeRecord message={message} tables={creatable} onDone={onDone} onClose={() => setDoing(undefined)} />
        )}
        {doing !== undefined && doing !== 'record' && (
          <RulePreview
            key={doing.rule.id}
            message={message}
            rule={doing.rule}
            onDone={onDone}
            onClose={() => setDoing(undefined)}
          />
        )}
      </header>
      <SuggestedArticles text={`${message.subject ?? ''} ${message.body}`.slice(0, 300)} />
      <Body message={message} />
    </article>
  )
}

/** What came of the message so far: records, and rules that failed. */
function Outcomes({ message: { records, errors, reply_to: replied } }: { readonly message: ReceivedMessage }) {
  const { t } = useTranslation()
  return (
    <>
      {replied && (
        <p>
          {t('incoming.answers')} <RecordLink model={replied.model} id={replied.id} />
        </p>
      )}
      {records.map(({ model, id, action_id: rule }) => (
        <p key={`${model} ${id} ${rule}`}>
          {t('incoming.became')} <RecordLink model={model} id={id} />
        </p>
      ))}
      {errors.map(({ action, message, at }) => (
        <p key={`${action} ${at}`} className="problem">
          {t('incoming.ruleFailed', { rule: action })} {message}
        </p>
      ))}
    </>
  )
}

/** The text as its sender wrote it: of mails only, whose HTML was cleaned when they came, as such. */
function Body({ message }: { readonly message: ReceivedMessage }) {
  const { t } = useTranslation()
  const html = message.channel === 'email' ? message.payload['html'] : undefined
  return (
    <div className="incoming-body">
      {typeof html === 'string' && html.trim() !== '' ? (
        <Suspense fallback={<Loading lines={6} />}>
          <MailFrame
            html={html}
            title={t('record.mailOf', { name: message.from_name ?? message.from_email ?? '' })}
            textNew={message.body_new}
            attachments={message.attachments}
          />
        </Suspense>
      ) : (
        <p className="comment-body">{message.body}</p>
      )}
      {message.attachments.map(
        ({ path, name, content_id: id }) => path && !id && <FileLink key={path + name} path={path} />,
      )}
    </div>
  )
}
