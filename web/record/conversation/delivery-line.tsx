import { Button } from '@mantine/core'
import Check from 'lucide-react/icons/check'
import Clock from 'lucide-react/icons/clock'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Delivery } from '../../api/about-record.ts'
import { useMessageOf } from '../../api/failures.ts'
import { useRetryReply } from '../../api/replies.ts'
import { Moment } from '../../parts/time.tsx'
import { quoteStored } from '../../words/service-words.ts'
import { useWhatWasSent } from './use-sentence.ts'

interface DeliveryLineProps {
  readonly delivery: Delivery
  readonly model: string
  readonly id: number
  /** Whether the reader may send it again. */
  readonly mayRetry: boolean
  /** When it was sent, where nothing else says it. */
  readonly at?: string
}

/** What became of something that was sent: arrived, on its way, or failed, with the reason and the way to send it again. */
export function DeliveryLine({ delivery, model, id, mayRetry, at }: DeliveryLineProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const what = useWhatWasSent()(delivery)
  const retry = useRetryReply(model, id)
  const { status, last_error: reason, next_attempt_at: next } = delivery
  // What fails before the reader's eyes is said; what failed long ago is only shown.
  const [first] = useState(status)
  const isLost = status === 'failed' || status === 'cancelled'
  const isHeld = isLost || (status === 'retrying' && reason !== null)
  const isReply = delivery.source.comment_id !== undefined
  const Icon = status === 'delivered' ? Check : isHeld ? TriangleAlert : Clock
  return (
    <div
      className={isHeld ? 'delivery-line is-problem' : 'delivery-line'}
      role={isHeld && first !== status ? 'alert' : undefined}
    >
      <span className="delivery-what">
        <Icon size={14} aria-hidden />
        {t(`timeline.status_${status}`, { what })}
      </span>
      {at !== undefined && (
        <span className="quiet">
          <Moment at={at} short />
        </span>
      )}
      {isHeld && reason !== null && <span className="delivery-reason">{quoteStored(reason)}</span>}
      {status === 'retrying' && next !== null && (
        <span>
          {t('timeline.nextAttempt')} <Moment at={next} short />
        </span>
      )}
      {isHeld && isReply && mayRetry && (
        <Button size="compact-sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate(delivery.id)}>
          {t(isLost ? 'timeline.sendAgain' : 'timeline.sendNow')}
        </Button>
      )}
      {retry.error && <span role="alert">{messageOf(retry.error)}</span>}
    </div>
  )
}
