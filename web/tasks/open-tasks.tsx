import { useState } from 'react'
import type { Task } from '../api/about-record.ts'
import { OpenTask } from './open-task.tsx'
import { useIsMine } from './use-my-tasks.ts'

interface OpenTasksProps {
  readonly tasks: readonly Task[]
  readonly model: string
  readonly id: number
  /** Whether tasks have keys here; they are for the one with the focus, else for the first. */
  readonly hasKeys: boolean
  readonly label?: string
}

/** The open tasks of a record. */
export default function OpenTasks({ tasks, model, id, hasKeys, label }: OpenTasksProps) {
  const isMine = useIsMine()
  const [focused, setFocused] = useState<number>()
  const current = tasks.find((task) => task.id === focused) ?? tasks[0]
  return (
    <ul className="plain-list" aria-label={label}>
      {tasks.map((task) => (
        <li key={task.id} className="task" onFocus={() => setFocused(task.id)}>
          <OpenTask task={task} model={model} id={id} isMine={isMine(task)} hasKeys={hasKeys && task === current} />
        </li>
      ))}
    </ul>
  )
}
