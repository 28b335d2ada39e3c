import { useTranslation } from 'react-i18next'
import type { Delivery, TimelineEntry } from '../../api/about-record.ts'

const channels = ['email', 'messenger', 'sms', 'webhook'] as const

/** What was sent, and to whom, as a noun. */
export function useWhatWasSent(): (delivery: Pick<Delivery, 'channel_type' | 'recipient'>) => string {
  const { t } = useTranslation()
  return ({ channel_type: type, recipient }) => {
    const what = t(`timeline.channel_${channels.find((one) => one === type) ?? 'other'}`)
    // The id of a chat tells nobody anything.
    return recipient === null || type === 'messenger' ? what : t('timeline.toWhom', { what, to: recipient })
  }
}

const operations = ['set_variables', 'modify', 'migrate', 'suspend', 'resume', 'retry'] as const

interface Step {
  readonly template?: { readonly name: string }
  readonly template_code?: string
  readonly element_id?: string | null
  readonly name?: string | null
  readonly status?: string
  readonly operation?: string
  readonly task?: { readonly outcome: string | null; readonly completed_by: { readonly name: string } | null }
}

/** What happened, in the language of the reader; as the service says it where the app does not know it. */
export function useSentence(): (entry: TimelineEntry) => string {
  const { t } = useTranslation()
  return ({ kind, id, data, user, summary }) => {
    if (kind === 'script') return script(data as { name?: string | null; kind?: string; status?: string }) ?? summary
    if (kind !== 'process') return summary
    const step = data as Step
    return (id.startsWith('incident.') ? incident(step) : process(step, user?.name)) ?? summary
  }

  function script({
    name,
    kind,
    status,
  }: {
    name?: string | null
    kind?: string
    status?: string
  }): string | undefined {
    const called = { name: name ?? kind ?? '' }
    if (status === 'ok') return t('timeline.scriptRan', called)
    if (status === 'error') return t('timeline.scriptFailed', called)
    return status === 'stopped' ? t('timeline.scriptStopped', called) : undefined
  }

  function incident({ template_code: name = '', element_id: step, status }: Step): string {
    const what = step ? t('timeline.processFailedAt', { name, step }) : t('timeline.processFailed', { name })
    return status === 'resolved' ? t('timeline.resolvedSince', { what }) : what
  }

  function process(one: Step, by: string | undefined): string | undefined {
    const name = one.template?.name ?? ''
    const { status } = one
    const operation = operations.find((known) => known === one.operation)
    if (operation !== undefined) return by ? t(`timeline.operation_${operation}`, { name, by }) : undefined
    if (one.element_id === undefined) {
      if (status === 'started')
        return by ? t('timeline.processStartedBy', { name, by }) : t('timeline.processStarted', { name })
      if (status === 'completed') return t('timeline.processCompleted', { name })
      if (status !== 'cancelled') return undefined
      return by ? t('timeline.processCancelledBy', { name, by }) : t('timeline.processCancelled', { name })
    }
    const step = one.name ?? one.element_id ?? ''
    if (status !== 'completed' && status !== 'cancelled') return undefined
    if (!one.task)
      return t(status === 'completed' ? 'timeline.stepCompleted' : 'timeline.stepCancelled', { name, step })
    if (status === 'cancelled') return t('timeline.taskCancelled', { step })
    const { outcome } = one.task
    const done = by ? t('timeline.taskCompletedBy', { step, by }) : t('timeline.taskCompleted', { step })
    return outcome === null ? done : t('timeline.withOutcome', { what: done, outcome })
  }
}
