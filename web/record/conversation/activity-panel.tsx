import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type TimelineEntry, timelineQuery } from '../../api/about-record.ts'
import { failureOf } from '../../api/failures.ts'
import { may, useUser } from '../../api/permissions.ts'
import { type EntityRecord, titleOf } from '../../api/records.ts'
import type { Table } from '../../api/tables.ts'
import { Failed, Loading } from '../../parts/states.tsx'
import { Composer } from './composer.tsx'
import type { Show } from './shows.ts'
import { TimelineFilter } from './timeline-filter.tsx'
import { TimelineItem } from './timeline-item.tsx'
import { arrange, isInFlight, kindsOf } from './timeline.ts'

/** What others write appears by itself; what was just sent is looked after more often. */
const askEveryMs = 20_000
const followEveryMs = 1500
/** A narrow timeline reads on by itself until it has so many entries, for so many pages. */
const wanted = 10
const maxPages = 6

/** The conversation about a record, and everything that happened to it, newest first. */
export function ActivityPanel({ table, record }: { readonly table: Table; readonly record: EntityRecord }) {
  const { t } = useTranslation()
  const user = useUser()
  const { show = 'all' } = useSearch({ from: '/frame/e/$model/$id' })
  const isOwn = record.merged_into === undefined
  const mayReply = isOwn && may(user, 'update', table.name)
  const mayComment = isOwn && (may(user, 'comment', table.name) || may(user, 'update', table.name))
  const mayBeInternal = isOwn && may(user, 'comment_internal', table.name)
  const asked = useInfiniteQuery({
    ...timelineQuery(table.name, record.id, kindsOf[show]),
    refetchInterval: ({ state }) => (isInFlight(entriesOf(state.data), Date.now()) ? followEveryMs : askEveryMs),
  })
  const { data, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = asked
  const failure = failureOf(asked)
  const shown = useMemo(() => data && arrange(entriesOf(data), show), [data, show])
  const pages = data?.pages.length ?? 0
  const isShort = shown !== undefined && shown.length < wanted && pages < maxPages
  useEffect(() => {
    if (isShort && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isShort, hasNextPage, isFetchingNextPage, fetchNextPage])
  const hidden = new Set<Show>([
    ...(may(user, 'comment_internal', table.name) ? [] : (['notes'] as const)),
    ...(may(user, 'update', table.name) ? [] : (['deliveries'] as const)),
  ])
  return (
    <>
      <h2>{t('record.activity')}</h2>
      {(mayComment || mayBeInternal) && (
        <Composer
          model={table.name}
          id={record.id}
          about={titleOf(record, table.title_field)}
          mayComment={mayComment}
          mayBeInternal={mayBeInternal}
          mayReply={mayReply}
        />
      )}
      <TimelineFilter model={table.name} id={record.id} show={show} hidden={hidden} />
      {failure !== null && <Failed error={failure} retry={refetch} />}
      {!shown && failure === null && <Loading lines={4} height={40} />}
      {shown?.length === 0 && !hasNextPage && <p className="quiet timeline-empty">{t('timeline.empty')}</p>}
      <ol className="timeline">
        {shown?.map(({ entry, delivery }) => (
          <TimelineItem
            key={`${entry.kind} ${entry.id}`}
            entry={entry}
            delivery={delivery}
            table={table}
            id={record.id}
            mayReply={mayReply}
          />
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('record.older')}
        </Button>
      )}
    </>
  )
}

const entriesOf = (data: { readonly pages: readonly { readonly data: unknown }[] } | undefined) =>
  data?.pages.flatMap((page) => page.data as readonly TimelineEntry[]) ?? []
