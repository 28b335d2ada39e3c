import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Task } from '../api/about-record.ts'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import { type RecordData, recordQuery } from '../api/records.ts'
import { labelOf, labelsOf } from '../api/tables.ts'
import { useCompleteTask } from '../api/tasks.ts'
import { EditFields } from '../fields/edit-fields.tsx'
import { FieldValue } from '../fields/field-value.tsx'
import { fieldsOfForm, presetsOf } from './form-fields.ts'

interface CompleteFormProps {
  readonly task: Task
  readonly model: string
  readonly id: number
}

/** What a task asks for, and a button for each outcome that it can have. */
export function CompleteForm({ task, model, id }: CompleteFormProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const complete = useCompleteTask(model, id)
  const { data: record } = useQuery(recordQuery(model, id))
  const [typed, setTyped] = useState<RecordData>({})
  const fields = fieldsOfForm(task.form)
  const shown = { ...presetsOf(task.form, record?.data), ...task.proposal?.data, ...typed }
  const errors = Object.fromEntries(
    Object.entries(fieldErrorsOf(complete.error, labelsOf(fields))).map(([path, message]) => [
      path.replace(/^data\./, ''),
      message,
    ]),
  )
  const isElsewhere = complete.error && !fields.some(({ name }) => Object.hasOwn(errors, name))
  const finish = (outcome?: string): void => {
    if (complete.isPending) return
    // What the record has already is not sent again: only what the form asks for, or somebody changed.
    const data = Object.fromEntries(
      fields
        .filter(({ name, readonly }) => !readonly && (shown[name] ?? null) !== null)
        .map(({ name }) => [name, shown[name]]),
    )
    complete.mutate({
      task: task.id,
      ...(outcome !== undefined && { outcome }),
      ...(Object.keys(data).length > 0 && { data }),
    })
  }
  const outcomes = task.outcomes.length > 0 ? task.outcomes : [undefined]
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (outcomes.length === 1) finish(outcomes[0])
      }}
    >
      <EditFields
        fields={fields.filter(({ readonly }) => !readonly)}
        data={shown}
        errors={errors}
        isFocused={false}
        onChange={(name, value) => setTyped((before) => ({ ...before, [name]: value }))}
      />
      {fields
        .filter(({ readonly }) => readonly)
        .map((field) => (
          <div key={field.name} className="field-shown">
            <span className="field-label">{labelOf(field)}</span>
            <FieldValue field={field} record={{ id: 0, data: shown }} in="record" />
          </div>
        ))}
      <span className="task-actions">
        {outcomes.map((outcome) => (
          <Button
            key={outcome ?? ''}
            size="compact-sm"
            variant="default"
            loading={complete.isPending && complete.variables.outcome === outcome}
            onClick={() => finish(outcome)}
          >
            {outcome === undefined ? t('record.complete') : labelOf({ name: outcome })}
          </Button>
        ))}
      </span>
      {isElsewhere && (
        <span className="problem" role="alert">
          {messageOf(complete.error, labelsOf(fields))}
        </span>
      )}
    </form>
  )
}
