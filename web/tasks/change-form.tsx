import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Task } from '../api/about-record.ts'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import { type TaskChange, useChangeTask } from '../api/tasks.ts'
import { moduleOf } from '../fields/registry.ts'
import { useKeys } from '../keyboard/keyboard.tsx'

/** What asks for more than a press. */
export type Change = 'reassign' | 'delegate' | 'due'

interface ChangeFormProps {
  readonly task: Task
  readonly change: Change
  readonly onClose: () => void
}

const person = { name: 'person', type: 'user' } as const
const moment = { name: 'due_at', type: 'datetime' } as const
/** The field of the request, which a refusal names. */
const fields = { reassign: 'assignee', delegate: 'to', due: 'due_at' } as const
const labels = { reassign: 'tasks.toWhom', delegate: 'tasks.whom', due: 'tasks.dueAt' } as const
const whys = { reassign: 'tasks.passOnWhy', delegate: 'tasks.askWhy', due: 'tasks.dueWhy' } as const
const verbs = { reassign: 'tasks.passOn', delegate: 'tasks.ask', due: 'record.save' } as const

/** Asks to whom a task goes, or when it is due. */
export function ChangeForm({ task, change, onClose }: ChangeFormProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const send = useChangeTask(task)
  const [value, setValue] = useState<unknown>(change === 'due' ? task.due_at : null)
  const { Edit } = moduleOf(change === 'due' ? moment : person)
  const refused = fieldErrorsOf(send.error)[fields[change]]
  const wanted = wantedOf(change, value)
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (wanted && !send.isPending) send.mutate(wanted, { onSuccess: onClose })
  }
  useKeys([{ keys: 'escape', label: t('parts.cancel'), run: onClose, inFields: true }])
  if (!Edit) return null
  return (
    <form
      className="stack task-form"
      noValidate
      aria-label={t(`tasks.${change === 'due' ? 'changeDue' : change === 'delegate' ? 'ask' : 'passOn'}`)}
      onSubmit={submit}
    >
      <Edit
        field={{ ...(change === 'due' ? moment : person), description: t(whys[change]) }}
        label={t(labels[change])}
        value={value}
        onChange={setValue}
        error={refused}
        autoFocus
      />
      {send.error && refused === undefined && (
        <span className="problem" role="alert">
          {messageOf(send.error)}
        </span>
      )}
      <span className="task-actions">
        <Button type="submit" size="compact-sm" disabled={!wanted} loading={send.isPending}>
          {t(verbs[change])}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {t('parts.cancel')}
        </Button>
      </span>
    </form>
  )
}

function wantedOf(change: Change, value: unknown): TaskChange | undefined {
  if (change === 'due') return { do: 'due', at: typeof value === 'string' ? value : null }
  return typeof value === 'number' ? { do: change, to: value } : undefined
}
