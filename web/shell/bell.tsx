import { ActionIcon, Button, Indicator, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import BellIcon from 'lucide-react/icons/bell'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { bellQuery, type Notice, useReadAllNotices, useReadNotice } from '../api/notifications.ts'
import { Empty } from '../parts/states.tsx'
import { Moment } from '../parts/time.tsx'

/** What the service wants the caller to know, newest first. */
export function Bell() {
  const { t } = useTranslation()
  const [isOpen, panel] = useDisclosure()
  const { data } = useQuery(bellQuery)
  const unread = data?.unread ?? 0
  const client = useQueryClient()
  const newest = data?.entries[0]?.id
  // What somebody is told of is listed among the own work too.
  useEffect(() => {
    for (const queryKey of [
      ['bell', 'mentions'],
      ['my-work', 'tasks'],
    ])
      void client.invalidateQueries({ queryKey })
  }, [newest])
  const readAll = useReadAllNotices()
  return (
    <Popover opened={isOpen} onChange={panel.toggle} width={360} position="bottom-end" trapFocus>
      <Indicator label={unread > 99 ? '99+' : unread} size={16} offset={6} disabled={unread === 0} color="red.8">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={panel.toggle}
            aria-label={t('bell.open', { count: unread })}
          >
            <BellIcon size={18} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} aria-label={t('bell.title')}>
        <header className="panel-head">
          <h2>{t('bell.title')}</h2>
          <Button size="compact-sm" variant="subtle" disabled={unread === 0} onClick={() => readAll.mutate()}>
            {t('bell.readAll')}
          </Button>
        </header>
        {data?.entries.length ? (
          <ul className="plain-list notices">
            {data.entries.map((notice) => (
              <NoticeEntry key={notice.id} notice={notice} close={panel.close} />
            ))}
          </ul>
        ) : (
          <Empty title={t('bell.empty')}>{t('bell.emptyWhy')}</Empty>
        )}
      </Popover.Dropdown>
    </Popover>
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
