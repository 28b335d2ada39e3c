import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Task } from '../api/about-record.ts'
import { RecordLink } from '../parts/record-link.tsx'
import { Moment } from '../parts/time.tsx'
import { TaskTools } from '../tasks/task-tools.tsx'
import { TaskWhose } from '../tasks/task-whose.tsx'

/** Tasks of processes that wait for the reader. They are completed on their record. */
export function TaskItems({ tasks }: { readonly tasks: readonly Task[] }) {
  const { t } = useTranslation()
  const [focused, setFocused] = useState<number>()
  const current = tasks.find(({ id }) => id === focused) ?? tasks[0]
  return tasks.map((task) => (
    <li key={task.id} className="work-item" onFocus={() => setFocused(task.id)}>
      <b>{task.name ?? task.element_id}</b>
      {task.record_id !== null && <RecordLink model={task.model} id={task.record_id} />}
      <TaskWhose task={task} isMine />
      <span className="quiet small push">
        {task.due_at && (
          <>
            {t('record.due')} <Moment at={task.due_at} short />
          </>
        )}
      </span>
      <TaskTools task={task} isMine hasKeys={task === current} />
    </li>
  ))
}
