import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chosen } from '../api/bulk.ts'
import { may, useUser } from '../api/permissions.ts'
import type { Table } from '../api/tables.ts'

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'))

interface SelectionBarProps {
  readonly table: Table
  readonly chosen: Chosen
  readonly count: number
  readonly onClear: () => void
}

/** What can be done with the records that are selected. */
export function SelectionBar({ table, chosen, count, onClear }: SelectionBarProps) {
  const { t } = useTranslation()
  const user = useUser()
  const [action, setAction] = useState<'set' | 'delete'>()
  return (
    <div className="selection-bar">
      <strong role="status">{t('queue.selected', { count })}</strong>
      {may(user, 'update', table.name) && (
        <Button size="compact-sm" variant="default" onClick={() => setAction('set')}>
          {t('bulk.set')}
        </Button>
      )}
      {may(user, 'delete', table.name) && (
        <Button size="compact-sm" variant="default" onClick={() => setAction('delete')}>
          {t('bulk.delete')}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        {t('queue.clearSelection')}
      </Button>
      <Suspense fallback={null}>
        {action && (
          <BulkDialog
            table={table}
            chosen={chosen}
            action={action}
            onClose={() => setAction(undefined)}
            onDone={onClear}
          />
        )}
      </Suspense>
    </div>
  )
}
