import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'

const subscribe = (listener: () => void) => onlineManager.subscribe(listener)
const isOnline = () => onlineManager.isOnline()

/** Says that there is no connection: what is on the screen may be old, and what is typed stays until it can be saved. */
export function OfflineBar() {
  const { t } = useTranslation()
  return (
    <div role="status">
      {!useSyncExternalStore(subscribe, isOnline) && <div className="offline-bar">{t('shell.offline')}</div>}
    </div>
  )
}
