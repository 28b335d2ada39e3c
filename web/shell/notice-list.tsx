import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Bell, type Notice, useReadAllNotices, useReadNotice } from '../api/notifications.ts'
import { Empty } from '../parts/states.tsx'
import { Moment } from '../parts/time.tsx'

interface NoticeListProps {
  readonly bell: Bell | undefined
  readonly close: () => void
}

/** What the service wants the reader to know, newest first. */
export default function NoticeList({ bell, close }: NoticeListProps) {
  const { t } = useTranslation()
  const readAll = useReadAllNotices()
  const unread = bell?.unread ?? 0
  return (
    <>
      <header className="panel-head">
        <h2>{t('bell.title')}</h2>
        <Button size="compact-sm" variant="subtle" disabled={unread === 0} onClick={() => readAll.mutate()}>
          {t('bell.readAll')}
        </Button>
      </header>
      {bell?.entries.length ? (
        <ul className="plain-list notices">
          {bell.entries.map((notice) => (
            <NoticeEntry key={notice.id} notice={notice} close={close} />
          ))}
        </ul>
      ) : (
        <Empty title={t('bell.empty')}>{t('bell.emptyWhy')}</Empty>
      )}
    </>
  )
}

function NoticeEntry({ notice, close }: { readonly notice: Notice; readonly close: () => void }) {
  const navigate = useNavigate()
  const read = useReadNotice()
  const { t } = useTranslation()
  const open = (): void => {
    if (!notice.is_read) read.mutate(notice.id)
    close()
    if (notice.record_id !== null)
      void navigate({ to: '/e/$model/$id', params: { model: notice.model, id: String(notice.record_id) } })
  }
  return (
    <li>
      <button type="button" className={notice.is_read ? 'notice-entry' : 'notice-entry is-unread'} onClick={open}>
        <span className="notice-entry-title">{notice.title}</span>
        {!notice.is_read && <span className="visually-hidden">{t('bell.unread')}</span>}
        <span className="quiet clamp">{notice.text}</span>
        <span className="quiet small">
          <Moment at={notice.created_at} short />
        </span>
      </button>
    </li>
  )
}
