import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type TimelineEntry, timelineQuery } from '../api/about-record.ts'
import { may, useUser } from '../api/permissions.ts'
import type { EntityRecord } from '../api/records.ts'
import type { Table } from '../api/tables.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { Composer } from './composer.tsx'
import { TimelineItem } from './timeline-item.tsx'

/** The conversation about a record, and everything that happened to it, newest first. */
export function ActivityPanel({ table, record }: { readonly table: Table; readonly record: EntityRecord }) {
  const { t } = useTranslation()
  const user = useUser()
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    timelineQuery(table.name, record.id),
  )
  const mayComment =
    record.merged_into === undefined && (may(user, 'comment', table.name) || may(user, 'update', table.name))
  const entries = withoutDoubles(data?.pages.flatMap((page) => page.data as readonly TimelineEntry[]))
  return (
    <>
      <h2>{t('record.activity')}</h2>
      {mayComment && (
        <Composer model={table.name} id={record.id} mayBeInternal={may(user, 'comment_internal', table.name)} />
      )}
      {error && <Failed error={error} retry={refetch} />}
      {!entries && !error && <Loading lines={4} height={40} />}
      <ol className="timeline">
        {entries?.map((entry) => (
          <TimelineItem key={`${entry.kind} ${entry.id}`} entry={entry} table={table} />
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

/** A message that became a comment stands there once: as it was written. */
function withoutDoubles(entries: readonly TimelineEntry[] | undefined): readonly TimelineEntry[] | undefined {
  const messages = new Set(entries?.filter(({ kind }) => kind === 'message').map(({ id }) => Number(id)))
  return entries?.filter(({ kind, data }) => kind !== 'comment' || !messages.has(Number(data['message_id'])))
}
