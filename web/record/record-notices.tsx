import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { useUnmerge } from '../api/merge.ts'
import type { EntityRecord } from '../api/records.ts'
import { useSnooze, useSnoozedUntil } from '../api/snooze.ts'
import type { Table } from '../api/tables.ts'
import { RecordLink } from '../parts/record-link.tsx'
import { Moment } from '../parts/time.tsx'
import { useTellUnmerged } from './use-tell-unmerged.ts'

interface RecordNoticesProps {
  readonly table: Table
  readonly record: EntityRecord
  readonly mayChange: boolean
}

/** What one must know before working on a record: that it is part of another one, or snoozed. */
export function RecordNotices({ table, record, mayChange }: RecordNoticesProps) {
  const until = useSnoozedUntil(table.name, record.id)
  return (
    <>
      {record.merged_into !== undefined && (
        <MergedNotice table={table} id={record.id} into={record.merged_into} mayChange={mayChange} />
      )}
      {until !== null && <SnoozedNotice model={table.name} id={record.id} until={until} />}
    </>
  )
}

interface MergedNoticeProps {
  readonly table: Table
  readonly id: number
  readonly into: number
  readonly mayChange: boolean
}

function MergedNotice({ table, id, into, mayChange }: MergedNoticeProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const unmerge = useUnmerge(table.name)
  const tellUnmerged = useTellUnmerged(table)
  return (
    <div className="record-notice" role="status">
      <span>
        {t('merge.merged')} <RecordLink model={table.name} id={into} />
      </span>
      {mayChange && (
        <Button
          size="compact-sm"
          variant="default"
          loading={unmerge.isPending}
          onClick={() => unmerge.mutate(id, { onSuccess: tellUnmerged })}
        >
          {t('merge.undo')}
        </Button>
      )}
      {unmerge.error && (
        <span className="problem" role="alert">
          {messageOf(unmerge.error)}
        </span>
      )}
    </div>
  )
}

function SnoozedNotice({ model, id, until }: { readonly model: string; readonly id: number; readonly until: string }) {
  const { t } = useTranslation()
  const snooze = useSnooze(model, id)
  return (
    <div className="record-notice" role="status">
      <span>
        {t('snooze.snoozed')} <Moment at={until} />
      </span>
      <Button size="compact-sm" variant="default" loading={snooze.isPending} onClick={() => snooze.mutate(null)}>
        {t('snooze.end')}
      </Button>
    </div>
  )
}
