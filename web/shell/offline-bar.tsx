import { useTranslation } from 'react-i18next'
import { useOnline } from '../parts/use-online.ts'

/** Says that there is no connection: what is on the screen may be old, and what is typed stays until it can be saved. */
export function OfflineBar() {
  const { t } = useTranslation()
  return (
    <div className="offline" role="status">
      {!useOnline() && <div className="offline-bar">{t('shell.offline')}</div>}
    </div>
  )
}
