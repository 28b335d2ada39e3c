import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chosen } from '../api/bulk.ts'
import { useMacrosOf } from '../api/macros.ts'
import { may, useUser } from '../api/permissions.ts'
import type { Table } from '../api/tables.ts'
import { MacroMenu } from '../parts/macro-menu.tsx'
import type { BulkAction } from './bulk-action.ts'

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
  const [action, setAction] = useState<BulkAction>()
  const macros = useMacrosOf(table.name)
  return (
    <div className="selection-bar">
      <strong role="status">{t('queue.selected', { count })}</strong>
      {may(user, 'update', table.name) && (
        <Button size="compact-sm" variant="default" onClick={() => setAction('set')}>
          {t('bulk.set')}
        </Button>
      )}
      <MacroMenu macros={macros} size="compact-sm" onChoose={setAction} />
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
