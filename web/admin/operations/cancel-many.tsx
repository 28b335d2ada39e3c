import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../../api/failures.ts'
import { useKeys } from '../../keyboard/keyboard.tsx'

interface CancelManyProps {
  readonly count: number
  readonly error: unknown
  readonly isPending: boolean
  readonly onCancel: (reason: string) => void
  readonly onClose: () => void
}

/** Asks before processes are cancelled, and why they are. */
export function CancelMany({ count, error, isPending, onCancel, onClose }: CancelManyProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const [reason, setReason] = useState('')
  useKeys([{ keys: 'escape', label: t('operations.keep'), run: onClose, inFields: true }])
  return (
    <form
      className="stack work-section"
      style={{ margin: 0 }}
      noValidate
      aria-label={t('operations.cancel', { count })}
      onSubmit={(event) => {
        event.preventDefault()
        onCancel(reason.trim())
      }}
    >
      <p>{t('operations.cancelWhy', { count })}</p>
      <Textarea
        label={t('process.reason')}
        description={t('process.reasonWhy')}
        autosize
        minRows={2}
        maxRows={6}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={error ? messageOf(error) : undefined}
        autoFocus
      />
      <span className="task-actions">
        <Button type="submit" size="compact-sm" color="red" loading={isPending}>
          {t('operations.doCancel', { count })}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {t('operations.keep')}
        </Button>
      </span>
    </form>
  )
}
