import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import type { RecordData } from '../api/records.ts'
import { labelOf, labelsOf } from '../api/tables.ts'
import { EditFields } from '../fields/edit-fields.tsx'
import { isEmpty } from '../fields/field-value.tsx'
import { errorsByField, isElsewhere, valuesToSend } from '../fields/form-values.ts'
import { useDraft } from '../parts/drafts.ts'
import { type AskedField, fieldsOfForm, presetsOf } from './form-fields.ts'

interface TaskFormProps {
  readonly task: { readonly id: number; readonly form: readonly AskedField[]; readonly outcomes: readonly string[] }
  /** What is known of the record that the task is about. */
  readonly record?: RecordData | undefined
  /** What somebody who was asked proposed. */
  readonly proposed?: RecordData | undefined
  /** Completes the task; what it refuses with is shown. */
  readonly onComplete: (outcome: string | undefined, data: Record<string, unknown>) => Promise<unknown>
  /** Whether it stands by itself: larger, and with the first outcome before the others. */
  readonly isLarge?: boolean
  /** What is asked besides, between fields and outcomes. */
  readonly children?: ReactNode
}

const empty: { readonly data: RecordData } = { data: {} }

/**
 * What a task asks for, and a button for each outcome that it can have. What is typed is kept in this browser until the task
 * is completed.
 */
export function TaskForm({ task, record, proposed, onComplete, isLarge = false, children }: TaskFormProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const { draft, change, clear } = useDraft(`task ${task.id}`, empty)
  const [error, setError] = useState<unknown>(null)
  const [pending, setPending] = useState<{ readonly outcome: string | undefined }>()
  const opened = { ...presetsOf(task.form, record), ...proposed }
  const data = { ...opened, ...draft.data }
  const fields = fieldsOfForm(task.form)
  // Where it stands by itself, only a part of the record is known.
  const shown = fields.filter(({ name, readonly }) => !readonly || !isLarge || !isEmpty(data[name]))
  const outcomes = task.outcomes.length > 0 ? task.outcomes : [undefined]

  async function complete(outcome: string | undefined): Promise<void> {
    if (pending) return
    setPending({ outcome })
    setError(null)
    try {
      const asked = fields.filter(({ readonly }) => !readonly)
      await onComplete(outcome, valuesToSend(asked, data, opened))
      clear()
    } catch (cause) {
      setError(cause)
    } finally {
      setPending(undefined)
    }
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (outcomes.length === 1) void complete(outcomes[0])
      }}
    >
      <EditFields
        fields={shown}
        data={data}
        errors={errorsByField(error, shown)}
        onChange={(name, value) => change({ data: { ...draft.data, [name]: value } })}
      />
      {children}
      {isElsewhere(error, shown) && (
        <p className="problem" role="alert">
          {messageOf(error, labelsOf(shown))}
        </p>
      )}
      <div className={isLarge ? 'portal-actions' : 'task-actions'}>
        {outcomes.map((outcome, index) => (
          <Button
            key={outcome ?? ''}
            size={isLarge ? 'sm' : 'compact-sm'}
            variant={isLarge && index === 0 ? 'filled' : 'default'}
            disabled={pending !== undefined && pending.outcome !== outcome}
            loading={pending !== undefined && pending.outcome === outcome}
            onClick={() => void complete(outcome)}
          >
            {outcome === undefined ? t('record.complete') : labelOf({ name: outcome })}
          </Button>
        ))}
      </div>
    </form>
  )
}
