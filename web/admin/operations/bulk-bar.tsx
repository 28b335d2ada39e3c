import { Button, Checkbox } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../../api/failures.ts'
import { type BulkAction, type ProcessSelection, useBulkOperate } from '../../api/operations.ts'
import { CancelMany } from './cancel-many.tsx'

interface BulkBarProps {
  readonly selection: ProcessSelection
  /** The ids of those that are chosen. */
  readonly chosen: readonly number[]
  readonly shown: number
  /** How many there are; `isExact`: not more than that. */
  readonly total: number
  readonly isExact: boolean
  readonly onAll: (isAll: boolean) => void
  readonly onStarted: (job: number) => void
}

const offered = {
  incident: ['retry', 'suspend'],
  running: ['suspend'],
  suspended: ['resume'],
} as const
const isOffered = (status: string): status is keyof typeof offered => Object.hasOwn(offered, status)

/** What can be done with the processes that are chosen: as a job, and cancelled after a question. */
export function BulkBar({ selection, chosen, shown, total, isExact, onAll, onStarted }: BulkBarProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const operate = useBulkOperate()
  const [isAsking, setAsking] = useState(false)
  const [isEvery, setEvery] = useState(false)
  const cancel = useRef<HTMLButtonElement>(null)
  const isAll = chosen.length === shown
  const hasMore = isAll && (total > shown || !isExact)
  const which = hasMore && isEvery ? selection : chosen
  const count = which === selection ? total : chosen.length
  const actions = isOffered(selection.status) ? offered[selection.status] : []
  function start(action: BulkAction, reason?: string): void {
    if (operate.isPending) return
    operate.mutate(
      { action, which, ...(reason && { reason }) },
      {
        onSuccess(job) {
          setAsking(false)
          setEvery(false)
          onStarted(job)
        },
      },
    )
  }
  return (
    <div className="stack">
      <div className="task-actions" style={{ columnGap: 12 }}>
        <Checkbox
          size="xs"
          label={t('operations.all', { count: shown })}
          checked={isAll}
          indeterminate={chosen.length > 0 && !isAll}
          onChange={({ currentTarget }) => {
            onAll(currentTarget.checked)
            setEvery(false)
          }}
        />
        {hasMore && (
          <Checkbox
            size="xs"
            label={isExact ? t('operations.every', { count: total }) : t('operations.everyAbove', { count: total })}
            checked={isEvery}
            onChange={({ currentTarget }) => setEvery(currentTarget.checked)}
          />
        )}
        {actions.map((action) => (
          <Button
            key={action}
            size="compact-sm"
            variant="default"
            disabled={count === 0}
            loading={operate.isPending && operate.variables.action === action}
            onClick={() => start(action)}
          >
            {t(`operations.${action}`, { count })}
          </Button>
        ))}
        <Button
          ref={cancel}
          size="compact-sm"
          variant="default"
          disabled={count === 0}
          aria-expanded={isAsking}
          onClick={() => setAsking(!isAsking)}
        >
          {t('operations.cancel', { count })}
        </Button>
      </div>
      {isAsking && count > 0 && (
        <CancelMany
          count={count}
          error={operate.variables?.action === 'cancel' ? operate.error : null}
          isPending={operate.isPending}
          onCancel={(reason) => start('cancel', reason)}
          onClose={() => {
            setAsking(false)
            cancel.current?.focus()
          }}
        />
      )}
      {operate.error && !(isAsking && operate.variables.action === 'cancel') && (
        <p className="problem" role="alert">
          {messageOf(operate.error)}
        </p>
      )}
    </div>
  )
}
