import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Task, tasksQuery, useCompleteTask } from '../api/about-record.ts'
import { useMessageOf } from '../api/failures.ts'
import { labelOf } from '../api/tables.ts'
import { Moment } from '../parts/time.tsx'

/** The tasks of processes that wait for somebody; nothing where there are none. */
export function TasksPanel({ model, id }: { readonly model: string; readonly id: number }) {
  const { t } = useTranslation()
  const { data: tasks } = useQuery(tasksQuery(model, id))
  if (!tasks?.length) return null
  return (
    <section className="side-panel">
      <h2>{t('record.tasks')}</h2>
      <ul className="plain-list">
        {tasks.map((task) => (
          <OpenTask key={task.id} task={task} model={model} id={id} />
        ))}
      </ul>
    </section>
  )
}

function OpenTask({ task, model, id }: { readonly task: Task; readonly model: string; readonly id: number }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const complete = useCompleteTask(model, id)
  // A task with a form of its own needs more than a button.
  const hasForm = task.form.some(({ required, readonly }) => required && !readonly)
  return (
    <li className="task">
      <b>{task.name ?? task.element_id}</b>
      {task.due_at && (
        <span className="quiet">
          {t('record.due')} <Moment at={task.due_at} short />
        </span>
      )}
      {!hasForm && (
        <span className="task-actions">
          {task.outcomes.length === 0 ? (
            <Button
              size="compact-sm"
              variant="default"
              loading={complete.isPending}
              onClick={() => complete.mutate({ task: task.id })}
            >
              {t('record.complete')}
            </Button>
          ) : (
            task.outcomes.map((outcome) => (
              <Button
                key={outcome}
                size="compact-sm"
                variant="default"
                loading={complete.isPending && complete.variables.outcome === outcome}
                onClick={() => complete.mutate({ task: task.id, outcome })}
              >
                {labelOf({ name: outcome })}
              </Button>
            ))
          )}
        </span>
      )}
      {complete.error && (
        <span className="problem" role="alert">
          {messageOf(complete.error)}
        </span>
      )}
    </li>
  )
}
