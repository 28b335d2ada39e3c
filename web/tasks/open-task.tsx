import { useTranslation } from 'react-i18next'
import type { Task } from '../api/about-record.ts'
import { useUser } from '../api/permissions.ts'
import { labelOf } from '../api/tables.ts'
import { Moment } from '../parts/time.tsx'
import { CompleteForm } from './complete-form.tsx'
import { offersOf } from './offers.ts'
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
      {offersOf(task, user, isMine).complete && <CompleteForm task={task} model={model} id={id} />}
      <TaskTools task={task} isMine={isMine} hasKeys={hasKeys} />
    </>
  )
}
