import { Button, Group, Modal } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BulkResult, type Chosen, useBulkChange, useBulkPreview } from '../api/bulk.ts'
import { useMessageOf } from '../api/failures.ts'
import type { Progress } from '../api/jobs.ts'
import type { RecordData } from '../api/records.ts'
import type { Table } from '../api/tables.ts'
import { Loading } from '../parts/states.tsx'
import { type BulkAction, bulkChangeOf } from './bulk-action.ts'
import { BulkFields } from './bulk-fields.tsx'
import { BulkOutcome } from './bulk-outcome.tsx'
import { useOfferBatchUndo } from './use-offer-batch-undo.ts'

interface BulkDialogProps {
  readonly table: Table
  readonly chosen: Chosen
  readonly action: BulkAction
  readonly onClose: () => void
  /** Something was changed: the selection is done with. */
  readonly onDone: () => void
}

const doKeys = { set: 'bulk.doSet', delete: 'bulk.doDelete', macro: 'bulk.doMacro' } as const

/** Changes or deletes many records, or runs a macro on them: first says what would happen, then does it, and offers to undo it. */
export default function BulkDialog({ table, chosen, action, onClose, onDone }: BulkDialogProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const [set, setSet] = useState<RecordData>({})
  const [progress, setProgress] = useState<Progress>()
  const [outcome, setOutcome] = useState<BulkResult>()
  const preview = useBulkPreview(table.name, chosen)
  const run = useBulkChange(table.name, chosen, setProgress)
  const offerUndo = useOfferBatchUndo(table)
  const change = bulkChangeOf(action, set)
  const kind = typeof action === 'string' ? action : 'macro'
  const ask = useEffectEvent(() => preview.mutate(change))
  useEffect(() => {
    if (action !== 'set') ask()
  }, [action])

  function perform(expect: number): void {
    run.mutate(
      { change, expect },
      {
        onSuccess(result) {
          offerUndo(kind, result)
          if (result.failed > 0) setOutcome(result)
          else onDone()
        },
      },
    )
  }
  const error = run.error ?? preview.error
  const found = preview.data
  return (
    <Modal
      opened
      onClose={outcome ? onDone : onClose}
      closeOnClickOutside={!run.isPending}
      closeOnEscape={!run.isPending}
      title={typeof action === 'string' ? t(`bulk.${action}Title`) : action.name}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      <div className="stack">
        {action === 'set' && !found && (
          <BulkFields table={table} values={set} onChange={setSet} error={preview.error} />
        )}
        {preview.isPending && action !== 'set' && <Loading lines={2} />}
        {(outcome ?? found) && <BulkOutcome result={outcome ?? (found as BulkResult)} isDone={outcome !== undefined} />}
        {run.isPending && (
          <label className="progress">
            {progress ? t('bulk.progress', { done: progress.done, total: progress.total }) : t('bulk.running')}
            <progress value={progress?.done} max={progress?.total} />
          </label>
        )}
        {error && (
          <p className="problem" role="alert">
            {messageOf(error)}
          </p>
        )}
        <Group justify="end">
          {outcome ? (
            <Button onClick={onDone}>{t('parts.close')}</Button>
          ) : (
            <>
              <Button variant="default" disabled={run.isPending} onClick={onClose}>
                {t('parts.cancel')}
              </Button>
              {found ? (
                <Button
                  color={action === 'delete' ? 'red' : undefined}
                  disabled={found.changed === 0}
                  loading={run.isPending}
                  data-autofocus
                  onClick={() => perform(found.matched)}
                >
                  {t(doKeys[kind], { count: found.changed })}
                </Button>
              ) : (
                action === 'set' && (
                  <Button
                    disabled={Object.keys(set).length === 0}
                    loading={preview.isPending}
                    onClick={() => preview.mutate(change)}
                  >
                    {t('bulk.check')}
                  </Button>
                )
              )}
            </>
          )}
        </Group>
      </div>
    </Modal>
  )
}
