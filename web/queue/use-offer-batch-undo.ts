import { useTranslation } from 'react-i18next'
import { type BulkResult, undoBatch, type UndoResult } from '../api/bulk.ts'
import { useMessageOf } from '../api/failures.ts'
import { fieldsOf, labelOf, type Table } from '../api/tables.ts'
import { offerUndo, tell } from '../parts/undo.tsx'
import { processNames } from './bulk-outcome.tsx'

/** Many records take longer to look at than one. */
const shownMs = 20_000
const namedRecords = 3

/** Says what a bulk change did, and lets one undo it; what others changed since stays, and is named. */
export function useOfferBatchUndo(table: Table): (action: 'set' | 'delete' | 'macro', result: BulkResult) => void {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const nameOf = (name: string): string => labelOf(fieldsOf(table).find((field) => field.name === name) ?? { name })

  function tellUndone({ changed, kept, returned = [] }: UndoResult): void {
    const named = kept
      .slice(0, namedRecords)
      .map(({ id, fields }) => (fields.length > 0 ? `${id} (${fields.map(nameOf).join(', ')})` : String(id)))
    const processes = returned.flatMap((one) => one.cancelled_processes)
    const stay = processes.length === 0 ? '' : ` ${t('bulk.staysCancelled', { names: processNames(processes) })}`
    const undone = t('bulk.undone', { count: changed }) + stay
    tell(
      kept.length === 0
        ? undone
        : `${undone} ${t('bulk.kept', { count: kept.length, records: named.join(', ') + (kept.length > namedRecords ? ' …' : '') })}`,
    )
  }
  return (action, { batch_id: batch, changed }) => {
    if (batch === null || changed === 0) return
    offerUndo(
      t(action === 'delete' ? 'bulk.deleted' : 'bulk.changed', { count: changed }),
      t('parts.undo'),
      () => void undoBatch(table.name, batch).then(tellUndone, (error: unknown) => tell(messageOf(error))),
      shownMs,
    )
  }
}
