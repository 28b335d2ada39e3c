import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unreachable } from '../api/client.ts'
import { useOnline } from './use-online.ts'

interface NotSentProps {
  /** Why it was not sent; nothing is shown for an answer of the service. */
  readonly error: unknown
  /** Sends the same request once more. */
  readonly onSend: () => void
}

/** What did not reach the service is kept: says so, and offers to send it as soon as there is a connection. */
export function NotSent({ error, onSend }: NotSentProps) {
  const { t } = useTranslation()
  const isOnline = useOnline()
  // A service that is not reached over a connection is another matter.
  const [wasOffline, setWasOffline] = useState(!isOnline)
  if (!isOnline && !wasOffline) setWasOffline(true)
  if (!(error instanceof Unreachable)) return null
  return (
    <div role="alert" className="not-sent">
      <span>{t(!isOnline ? 'unsent.keptOffline' : wasOffline ? 'unsent.onlineAgain' : 'unsent.notReached')}</span>
      {isOnline && (
        <Button size="compact-sm" variant="default" onClick={onSend}>
          {t('unsent.sendNow')}
        </Button>
      )}
    </div>
  )
}
