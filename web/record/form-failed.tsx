import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOnline } from '../parts/use-online.ts'

/** Says that it is not known what of a record can be changed. With the connection it is read by itself. */
export function FormFailed({ retry }: { readonly retry: () => void }) {
  const { t } = useTranslation()
  const isOnline = useOnline()
  return (
    <div className="record-notice" role="status">
      <span>{t('record.formFailed')}</span>
      {isOnline && (
        <Button size="compact-sm" variant="default" onClick={retry}>
          {t('failures.retry')}
        </Button>
      )}
    </div>
  )
}
