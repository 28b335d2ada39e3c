import Lock from 'lucide-react/icons/lock'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Comment, Delivery, TimelineEntry } from '../../api/about-record.ts'
import { type Field, fieldsOf, type Table } from '../../api/tables.ts'
import { FieldValue } from '../../fields/field-value.tsx'
import { FileLink } from '../../fields/types/file.tsx'
import { useFieldLabel } from '../../fields/use-field-label.ts'
import { Moment } from '../../parts/time.tsx'
import { MessageItem } from '../message-item.tsx'
import { DeliveryLine } from './delivery-line.tsx'
import { deliveryOf } from './timeline.ts'
import { useSentence } from './use-sentence.ts'

interface TimelineItemProps {
  readonly entry: TimelineEntry
  /** Of a comment that was sent: what became of it. */
  readonly delivery: Delivery | undefined
  readonly table: Table
  readonly id: number
  /** Whether the reader may send replies. */
  readonly mayReply: boolean
}

/** One thing that happened to a record. */
export function TimelineItem({ entry, delivery, table, id, mayReply }: TimelineItemProps) {
  const sentence = useSentence()
  const sent = (one: Delivery, at?: string) => (
    <DeliveryLine delivery={one} model={table.name} id={id} mayRetry={mayReply} {...(at !== undefined && { at })} />
  )
  switch (entry.kind) {
    case 'comment':
      return <CommentItem entry={entry}>{delivery && sent(delivery)}</CommentItem>
    case 'message':
      return <MessageItem entry={entry} />
    case 'change':
      return <ChangeItem entry={entry} table={table} />
    case 'delivery':
      return <li className="timeline-item">{sent(deliveryOf(entry), entry.at)}</li>
    default:
      return (
        <li className="timeline-item">
          <p className="quiet">
            {sentence(entry)} · <Moment at={entry.at} short />
          </p>
        </li>
      )
  }
}

/** Who changed the record, and which fields how. */
function ChangeItem({ entry, table }: { readonly entry: TimelineEntry; readonly table: Table }) {
  const { t } = useTranslation()
  const changes = changesOf(entry)
  const merged = mergedIn(entry)
  const names = Object.keys(changes)
  return (
    <li className="timeline-item">
      <p className="quiet">
        <b>{entry.user?.name ?? t('record.somebody')}</b>{' '}
        {merged ? t(`changes.${merged.how}`, { id: merged.id }) : t(`changes.${happenedIn(entry)}`)} ·{' '}
        <Moment at={entry.at} short />
      </p>
      {names.length > 0 && (
        <dl className="changes">
          {Object.entries(changes).map(([name, change]) => (
            <Change
              key={name}
              field={fieldsOf(table).find((one) => one.name === name) ?? { name, type: 'json' }}
              {...change}
            />
          ))}
        </dl>
      )}
    </li>
  )
}

function happenedIn({ data }: TimelineEntry): 'create' | 'update' | 'delete' | 'restore' {
  const { action, source } = data as { readonly action?: string; readonly source?: string }
  if (action === 'create') return source === 'restore' || source === 'undo' ? 'restore' : 'create'
  return action === 'delete' ? 'delete' : 'update'
}

const merges = ['into', 'from', 'unmerged_from', 'unmerged', 'split_into', 'split_from'] as const

/** Which other record it was merged with or split from, if that is what happened. */
function mergedIn({ data }: TimelineEntry) {
  const { merge } = data as { readonly merge?: Partial<Record<(typeof merges)[number], number>> }
  return merges.flatMap((how) => (merge?.[how] === undefined ? [] : [{ how, id: merge[how] }]))[0]
}

interface Changed {
  readonly old: unknown
  readonly new: unknown
}
const changesOf = ({ data }: TimelineEntry): Readonly<Record<string, Changed>> =>
  (data as { readonly changes?: Readonly<Record<string, Changed>> }).changes ?? {}

function Change({ field, old, new: now }: { readonly field: Field } & Changed) {
  const { t } = useTranslation()
  const labelOfField = useFieldLabel()
  const shown = (value: unknown) => (
    <FieldValue field={field} record={{ id: 0, data: { [field.name]: value } }} in="cell" />
  )
  return (
    <div>
      <dt>{labelOfField(field)}</dt>
      <dd>
        {old !== null && (
          <>
            <del>{shown(old)}</del> <span aria-label={t('record.becomes')}>→</span>{' '}
          </>
        )}
        {shown(now)}
      </dd>
    </div>
  )
}

function CommentItem({ entry, children }: { readonly entry: TimelineEntry; readonly children?: ReactNode }) {
  const { t } = useTranslation()
  const comment = entry.data as unknown as Comment
  const author = comment.user?.name ?? comment.from?.name ?? comment.from?.email ?? t('record.somebody')
  return (
    <li className={comment.is_internal ? 'timeline-item comment is-internal' : 'timeline-item comment'}>
      <header>
        <b>{author}</b>
        {comment.forwarded && <span className="badge note-badge">{t('timeline.forwarded')}</span>}
        {comment.is_internal && (
          <span className="badge note-badge">
            <Lock size={12} aria-hidden /> {t('composer.mode_note')}
          </span>
        )}
        <span className="quiet">
          <Moment at={entry.at} short />
        </span>
        {comment.is_edited && <span className="quiet small">{t('timeline.edited')}</span>}
      </header>
      {comment.to && (
        <p className="quiet small">
          {t('composer.toLabel')}: {comment.to}
        </p>
      )}
      {comment.cc && (
        <p className="quiet small">
          {t('composer.cc')}: {comment.cc.join(', ')}
        </p>
      )}
      <p className="comment-body">{withNames(comment)}</p>
      {comment.attachments.map(({ path }) => (
        <FileLink key={path} path={path} />
      ))}
      {children}
    </li>
  )
}

/** The text with the names of those it mentions (`@[7]`). */
const withNames = ({ body, mentions }: Comment): string =>
  body.replaceAll(/@\[(\d+)\]/g, (mention, id) => {
    const person = mentions.find((one) => one.id === Number(id))
    return person ? `@${person.name}` : mention
  })
