import { Button, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isMissing } from '../api/failures.ts'
import { oneReceivedQuery, type ReceivedMessage, receivedQuery } from '../api/incoming.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { MessageList } from './message-list.tsx'
import { MessageReader } from './message-reader.tsx'

/** The messages that no rule took: read, and made into something or set aside. */
export function IncomingView() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { message: opened, all } = useSearch({ from: '/frame/incoming' })
  const isAll = all === true
  const list = useInfiniteQuery(receivedQuery(isAll))
  // Rules are about to run for those that wait.
  const messages = list.data?.pages.flatMap(({ data }) => data).filter((one) => !one.is_waiting)
  const listed = messages?.find(({ id }) => id === opened)
  const one = useQuery({ ...oneReceivedQuery(opened ?? 0), enabled: opened !== undefined && !listed })
  const message = listed ?? one.data

  const show = (search: { readonly message?: number | undefined; readonly all?: boolean }): void =>
    void navigate({
      to: '/incoming',
      search: { ...(search.message && { message: search.message }), ...(search.all && { all: true }) },
      replace: true,
    })
  const neighbour = (step: number): ReceivedMessage | undefined => {
    const at = messages?.findIndex(({ id }) => id === opened) ?? -1
    return at === -1 ? messages?.[0] : messages?.[at + step]
  }
  const go = (step: number): void => {
    const next = neighbour(step)
    if (next) show({ message: next.id, all: isAll })
  }
  useKeys([
    { keys: 'j', label: t('incoming.keyNext'), run: () => go(1) },
    { keys: 'k', label: t('incoming.keyPrevious'), run: () => go(-1) },
  ])
  /** What was dealt with leaves the list: the next one takes its place. */
  const goOn = (): void => {
    if (!isAll) show({ message: (neighbour(1) ?? neighbour(-1))?.id })
  }

  return (
    <div className={message ? 'incoming has-message' : 'incoming'}>
      <Title>{t('incoming.title')}</Title>
      <section className="incoming-list" aria-label={t('incoming.title')}>
        <header className="queue-head">
          <h1>{t('incoming.title')}</h1>
          <SegmentedControl
            size="xs"
            className="push"
            aria-label={t('incoming.which')}
            value={isAll ? 'all' : 'open'}
            onChange={(value) => show({ message: opened, all: value === 'all' })}
            data={[
              { value: 'open', label: t('incoming.open') },
              { value: 'all', label: t('incoming.all') },
            ]}
          />
        </header>
        {list.error ? (
          <Failed error={list.error} retry={() => void list.refetch()} />
        ) : !messages ? (
          <Loading lines={6} height={44} />
        ) : messages.length === 0 ? (
          <Empty title={t('incoming.empty')}>{t('incoming.emptyWhy')}</Empty>
        ) : (
          <MessageList messages={messages} opened={opened} onOpen={(id) => show({ message: id, all: isAll })} />
        )}
        {list.hasNextPage && (
          <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('record.older')}
          </Button>
        )}
      </section>
      <section className="incoming-message" aria-label={t('incoming.message')}>
        {message ? (
          <MessageReader key={message.id} message={message} onDone={goOn} onBack={() => show({ all: isAll })} />
        ) : one.error ? (
          <Failed error={one.error} {...(!isMissing(one.error) && { retry: () => void one.refetch() })} />
        ) : opened !== undefined && one.isPending ? (
          <Loading lines={8} />
        ) : (
          <p className="notice quiet">{t('incoming.choose')}</p>
        )}
      </section>
    </div>
  )
}
