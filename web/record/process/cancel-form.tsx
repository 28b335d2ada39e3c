import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, useMessageOf } from '../../api/failures.ts'
import { useOperate, type WholeProcess } from '../../api/processes.ts'

interface CancelFormProps {
  readonly model: string
  readonly record: number
  readonly process: WholeProcess
  readonly onClose: () => void
}

/** Asks before a process is cancelled, and why it is. */
export function CancelForm({ model, record, process, onClose }: CancelFormProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const cancel = useOperate(model, record, process.id)
  const [reason, setReason] = useState('')
  const refused = fieldErrorsOf(cancel.error)['reason']
  return (
    <form
      className="stack"
      noValidate
      aria-label={t('process.cancel')}
      onSubmit={(event) => {
        event.preventDefault()
        if (!cancel.isPending) cancel.mutate({ do: 'cancel', reason: reason.trim() }, { onSuccess: onClose })
      }}
    >
      <p>{t('process.cancelWhy')}</p>
      <Textarea
        label={t('process.reason')}
        description={t('process.reasonWhy')}
        autosize
        minRows={2}
        maxRows={6}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={refused}
        data-autofocus
        autoFocus
      />
      {cancel.error && refused === undefined && (
        <p className="problem" role="alert">
          {messageOf(cancel.error)}
        </p>
      )}
      <span className="task-actions">
        <Button type="submit" size="compact-sm" color="red" loading={cancel.isPending}>
          {t('process.cancel')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {t('process.keep')}
        </Button>
      </span>
    </form>
  )
}
