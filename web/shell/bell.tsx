import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import BellIcon from 'lucide-react/icons/bell'
import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { bellQuery } from '../api/notifications.ts'
import { Loading } from '../parts/states.tsx'

const NoticeList = lazy(() => import('./notice-list.tsx'))

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
  }, [client, newest])
  return (
    <Popover opened={isOpen} onChange={panel.toggle} width={360} position="bottom-end" trapFocus>
      <Indicator label={unread > 99 ? '99+' : unread} size={16} offset={6} disabled={unread === 0} color="red">
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
        <Suspense fallback={<Loading lines={4} />}>{isOpen && <NoticeList bell={data} close={panel.close} />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
