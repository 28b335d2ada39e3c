import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { requestsQuery } from '../../api/portal.ts'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Title } from '../../parts/title.tsx'
import type { RequestsSearch } from '../portal-search.ts'
import { RequestRow } from '../request-row.tsx'

/** What the reader asked for, and what others share; the address says which of it. */
export function RequestsView() {
  const { t } = useTranslation()
  const { state, q = '' } = useSearch({ from: '/portal/requests' })
  const navigate = useNavigate()
  const show = (search: RequestsSearch): void => void navigate({ to: '/portal/requests', search, replace: true })
  const [typed, setTyped] = useState(q)
  const find = useDebouncedCallback((text: string) => show({ ...(state && { state }), ...(text && { q: text }) }), 250)
  const query = useInfiniteQuery(
    requestsQuery({ ...(state !== 'all' && { state: state ?? 'open' }), ...(q && { search: q }) }),
  )
  const requests = query.data?.pages.flatMap(({ data }) => data)
  return (
    <div className="portal-screen">
      <Title>{t('shell.ownRequests')}</Title>
      <h1>{t('shell.ownRequests')}</h1>
      <div className="request-filter">
        <TextInput
          type="search"
          aria-label={t('portal.searchRequests')}
          placeholder={t('portal.searchRequests')}
          leftSection={<Search size={16} aria-hidden />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            find(event.currentTarget.value.trim())
          }}
        />
        <SegmentedControl
          aria-label={t('portal.show')}
          value={state ?? 'open'}
          onChange={(value) =>
            show({
              ...(value !== 'open' && { state: value as 'closed' | 'all' }),
              ...(typed.trim() && { q: typed.trim() }),
            })
          }
          data={[
            { value: 'open', label: t('portal.open') },
            { value: 'closed', label: t('portal.closed') },
            { value: 'all', label: t('portal.all') },
          ]}
        />
      </div>
      {query.error && <Failed error={query.error} retry={query.refetch} />}
      {!requests && !query.error && <Loading lines={5} height={56} />}
      {requests?.length === 0 && (
        <Empty
          title={q ? t('portal.nothingFound', { text: q }) : t('portal.empty')}
          action={
            <Button variant="default" component={Link} to="/portal">
              {t('portal.ask')}
            </Button>
          }
        >
          {t('portal.emptyWhy')}
        </Empty>
      )}
      {requests && requests.length > 0 && (
        <ul className="plain-list portal-list">
          {requests.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('portal.more')}
        </Button>
      )}
    </div>
  )
}
