import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import Search from 'lucide-react/icons/search'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { approvalsQuery, itemsQuery, requestsQuery } from '../../api/portal.ts'
import { useKeys } from '../../keyboard/keyboard.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { Title } from '../../parts/title.tsx'
import { RequestRow } from '../request-row.tsx'
import { ItemGroups } from './item-groups.tsx'
import { Suggestions } from './suggestions.tsx'

const shownRequests = 5

/** What somebody can ask for, and what became of what was asked. */
export function PortalHomeView() {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), 200)
  useKeys([{ keys: '/', label: t('portal.search'), run: () => field.current?.focus() }])
  const items = useQuery(itemsQuery)
  return (
    <div className="portal-screen">
      <Title>{t('shell.portal')}</Title>
      <h1 className="portal-question">{t('portal.question')}</h1>
      <form role="search" onSubmit={(event) => event.preventDefault()}>
        <TextInput
          ref={field}
          className="portal-search"
          type="search"
          aria-label={t('portal.search')}
          placeholder={t('portal.searchHint')}
          autoComplete="off"
          enterKeyHint="search"
          leftSection={<Search size={18} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return
            event.preventDefault()
            document.querySelector<HTMLElement>('.suggestions a')?.focus()
          }}
        />
      </form>
      {typed.trim() === '' ? (
        <>
          <WaitingApprovals />
          <OpenRequests />
          {items.error ? (
            <Failed error={items.error} retry={items.refetch} />
          ) : items.data ? (
            <ItemGroups items={items.data} />
          ) : (
            <Loading lines={4} height={56} />
          )}
        </>
      ) : (
        <Suggestions typed={typed.trim()} text={text} items={items.data ?? []} />
      )}
    </div>
  )
}

/** Says that something waits for the reader's decision; nothing where it does not. */
function WaitingApprovals() {
  const { t } = useTranslation()
  const { data: approvals } = useQuery(approvalsQuery)
  if (!approvals?.length) return null
  return (
    <Link to="/portal/approvals" className="portal-notice">
      <ClipboardCheck size={18} aria-hidden />
      {t('portal.approvalsWait', { count: approvals.length })}
    </Link>
  )
}

/** The newest requests that are open; nothing where there are none. */
function OpenRequests() {
  const { t } = useTranslation()
  const { data } = useInfiniteQuery(requestsQuery({ state: 'open' }, shownRequests))
  const requests = data?.pages[0]?.data ?? []
  if (requests.length === 0) return null
  return (
    <section aria-label={t('portal.openRequests')}>
      <h2>{t('portal.openRequests')}</h2>
      <ul className="plain-list portal-list">
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </ul>
      <Link to="/portal/requests" search={{ state: 'all' }} className="portal-more">
        {t('portal.allRequests')}
      </Link>
    </section>
  )
}
