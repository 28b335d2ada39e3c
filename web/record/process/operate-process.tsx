import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../../api/failures.ts'
import { useOperate, type WholeProcess } from '../../api/processes.ts'
import { CancelForm } from './cancel-form.tsx'
import { VariablesForm } from './variables-form.tsx'

interface OperateProcessProps {
  readonly model: string
  readonly record: number
  readonly process: WholeProcess
}

/** What administrators do to a process: suspend and resume it, change its variables, cancel it. */
export function OperateProcess({ model, record, process }: OperateProcessProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const toggle = useOperate(model, record, process.id)
  const [opened, setOpened] = useState<'cancel' | 'variables'>()
  const isSuspended = process.status === 'suspended'
  const close = (): void => setOpened(undefined)
  const shared = { model, record, process, onClose: close }
  return (
    <section aria-label={t('process.operate')}>
      <h3 className="process-title">{t('process.operate')}</h3>
      <div className="stack">
        <span className="task-actions">
          <Button
            size="compact-sm"
            variant="default"
            loading={toggle.isPending}
            onClick={() => toggle.mutate({ do: isSuspended ? 'resume' : 'suspend' })}
          >
            {t(isSuspended ? 'process.resume' : 'process.suspend')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setOpened('variables')}>
            {t('process.changeVariables')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setOpened('cancel')}>
            {t('process.cancel')}
          </Button>
        </span>
        {toggle.error && (
          <p className="problem" role="alert">
            {messageOf(toggle.error)}
          </p>
        )}
        {opened === 'cancel' && <CancelForm {...shared} />}
        {opened === 'variables' && <VariablesForm {...shared} />}
      </div>
    </section>
  )
}
