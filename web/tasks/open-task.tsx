import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Task } from '../api/about-record.ts'
import { useUser } from '../api/permissions.ts'
import { recordQuery } from '../api/records.ts'
import { labelOf } from '../api/tables.ts'
import { useCompleteTask } from '../api/tasks.ts'
import { Moment } from '../parts/time.tsx'
import { offersOf } from './offers.ts'
import { TaskForm } from './task-form.tsx'
import { TaskTools } from './task-tools.tsx'
import { TaskWhose } from './task-whose.tsx'

interface OpenTaskProps {
  readonly task: Task
  /** The record that it is about. */
  readonly model: string
  readonly id: number
  readonly isMine: boolean
  readonly hasKeys: boolean
}

/** A task that waits for somebody: whose it is, what was proposed, its form with the outcomes, and what else can be done with it. */
export function OpenTask({ task, model, id, isMine, hasKeys }: OpenTaskProps) {
  const { t } = useTranslation()
  const user = useUser()
  const { proposal } = task
  return (
    <>
      <b>{task.name ?? task.element_id}</b>
      <TaskWhose task={task} isMine={isMine} />
      {task.due_at && (
        <span className="quiet">
          {t('record.due')} <Moment at={task.due_at} short />
        </span>
      )}
      {proposal && (
        <span>
          {proposal.outcome === null
            ? t('tasks.proposedHere')
            : t('tasks.proposed', { outcome: labelOf({ name: proposal.outcome }) })}
        </span>
      )}
      {offersOf(task, user, isMine).complete && <CompleteTask task={task} model={model} id={id} />}
      <TaskTools task={task} isMine={isMine} hasKeys={hasKeys} />
    </>
  )
}

/** Completes a task of a record, beginning with what the record holds and what was proposed. */
function CompleteTask({ task, model, id }: Pick<OpenTaskProps, 'task' | 'model' | 'id'>) {
  const { data: record } = useQuery(recordQuery(model, id))
  const complete = useCompleteTask(model, id)
  return (
    <TaskForm
      task={task}
      record={record?.data ?? {}}
      proposed={task.proposal?.data}
      onComplete={(outcome, data) =>
        complete.mutateAsync({
          task: task.id,
          ...(outcome !== undefined && { outcome }),
          ...(Object.keys(data).length > 0 && { data }),
        })
      }
    />
  )
}
