import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../../api/failures.ts'
import { useOperate, type WholeProcess } from '../../api/processes.ts'

interface IncidentsProps {
  readonly model: string
  readonly record: number
  readonly process: WholeProcess
  readonly mayRetry: boolean
}

/** What failed in a process and why; an administrator has it tried again. */
export function Incidents({ model, record, process, mayRetry }: IncidentsProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const retry = useOperate(model, record, process.id)
  const open = process.incidents.filter(({ status }) => status === 'open')
  if (open.length === 0) return null
  return (
    <section className="stack" aria-label={t('process.incidents')}>
      {open.map(({ id, element_id: element, message }) => (
        <p key={id} className="problem" role="alert">
          <b>{nameOf(process, element)}</b> {message}
        </p>
      ))}
      {retry.error && (
        <p className="problem" role="alert">
          {messageOf(retry.error)}
        </p>
      )}
      {mayRetry && process.status === 'incident' && (
        <span>
          <Button
            size="compact-sm"
            variant="default"
            loading={retry.isPending}
            onClick={() => retry.mutate({ do: 'retry' })}
          >
            {t('process.retry')}
          </Button>
        </span>
      )}
    </section>
  )
}

/** The name of an element of a process, as what was reached there has it. */
const nameOf = ({ tokens, history }: WholeProcess, element: string | null): string =>
  [...tokens, ...history].find(({ element_id: id }) => id === element)?.name ?? element ?? ''
