import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Notice, useReadNotice } from '../api/notifications.ts'
import { type Snoozed, useSnooze } from '../api/snooze.ts'
import { RecordLink } from '../parts/record-link.tsx'
import { Moment } from '../parts/time.tsx'

/** Where somebody named the reader. */
export function MentionItem({ notice }: { readonly notice: Notice }) {
  const read = useReadNotice()
  const { model, record_id: id, title, text, is_read: isRead, created_at: at } = notice
  const see = (): void => {
    if (!isRead) read.mutate(notice.id)
  }
  return (
    <li className="work-item">
      {id !== null ? (
        <RecordLink model={model} id={id} title={title} onOpen={see} />
      ) : isRead ? (
        <b>{title}</b>
      ) : (
        <button type="button" className="link" onClick={see}>
          <b>{title}</b>
        </button>
      )}
      <span className="quiet clamp">{text}</span>
      <span className="quiet small work-facts">
        <Moment at={at} short />
      </span>
    </li>
  )
}

/** A record that returns to the reader's views; it can return now. */
export function SnoozedItem({ snoozed }: { readonly snoozed: Snoozed }) {
  const { t } = useTranslation()
  const { model, id, snoozed_until: until } = snoozed
  const snooze = useSnooze(model, id)
  return (
    <li className="work-item">
      <RecordLink model={model} id={id} />
      <span className="quiet small work-facts">
        {until && <Moment at={until} />}
        <Button size="compact-sm" variant="default" loading={snooze.isPending} onClick={() => snooze.mutate(null)}>
          {t('snooze.end')}
        </Button>
      </span>
    </li>
  )
}
