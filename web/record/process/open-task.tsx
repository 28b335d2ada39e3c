import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Task } from '../../api/about-record.ts'
import { fieldErrorsOf, useMessageOf } from '../../api/failures.ts'
import { useCompleteTask } from '../../api/processes.ts'
import { type RecordData, recordQuery } from '../../api/records.ts'
import { type Field, labelOf } from '../../api/tables.ts'
import { EditFields } from '../../fields/edit-fields.tsx'
import { FieldValue } from '../../fields/field-value.tsx'
import { Moment } from '../../parts/time.tsx'

interface OpenTaskProps {
  readonly task: Task
  readonly model: string
  readonly id: number
}

/** A task that waits for somebody, with its form and the outcomes that it can have. */
export default function OpenTask({ task, model, id }: OpenTaskProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const complete = useCompleteTask(model, id)
  const { data: record } = useQuery(recordQuery(model, id))
  const [typed, setTyped] = useState<RecordData>({})
  const fields = fieldsOfTask(task)
  const shown = { ...valuesOf(task, record?.data), ...typed }
  const errors = Object.fromEntries(
    Object.entries(fieldErrorsOf(complete.error)).map(([path, message]) => [path.replace(/^data\./, ''), message]),
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
    <li className="task">
      <b>{task.name ?? task.element_id}</b>
      {task.due_at && (
        <span className="quiet">
          {t('record.due')} <Moment at={task.due_at} short />
        </span>
      )}
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
            {messageOf(complete.error)}
          </span>
        )}
      </form>
    </li>
  )
}

/** The fields of a form as field modules take them. */
const fieldsOfTask = ({ form }: Task): readonly Field[] =>
  form.map(({ name, label, type, required, readonly, options }) => ({
    name,
    type,
    required,
    readonly,
    ...(label !== null && { label }),
    ...(options.length > 0 && { options: options.map((slug) => ({ slug })) }),
  }))

/** What a form begins with: what the record has in the field that a value is written to, else its default. */
const valuesOf = ({ form }: Task, data: RecordData | undefined): RecordData =>
  Object.fromEntries(
    form.map(({ name, bind, default: given }) => [
      name,
      (bind === null ? undefined : data?.[bind.replace(/^record\./, '')]) ?? given ?? undefined,
    ]),
  )
