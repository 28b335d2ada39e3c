import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** What can be done with the records that are selected. */
export function SelectionBar({ count, onClear }: { readonly count: number; readonly onClear: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="selection-bar" role="status">
      <strong>{t('queue.selected', { count })}</strong>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        {t('queue.clearSelection')}
      </Button>
    </div>
  )
}
