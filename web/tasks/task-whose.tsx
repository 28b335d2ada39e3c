import { useTranslation } from 'react-i18next'
import type { Task } from '../api/about-record.ts'
import { usePersonName } from '../api/people.ts'
import { useUser } from '../api/permissions.ts'
import { labelOf } from '../api/tables.ts'
import { whoseOf } from './whose.ts'

interface TaskWhoseProps {
  readonly task: Task
  readonly isMine: boolean
}

/** Whose a task is, for whom, and to whom it returns. */
export function TaskWhose({ task, isMine }: TaskWhoseProps) {
  const { t } = useTranslation()
  const user = useUser()
  const { four_eyes: fourEyes, candidates } = task
  const whose = whoseOf(task, user.id, isMine)
  const name = usePersonName(whose?.name) ?? '…'
  const owner = usePersonName(whose?.owner) ?? '…'
  const roles = candidates.roles.join(', ')
  return (
    <span className="quiet small task-whose">
      {whose ? t(whose.says, { name, owner }) : roles === '' ? t('tasks.free') : t('tasks.offeredTo', { roles })}
      {fourEyes !== null && <span> · {t('tasks.fourEyes', { element: labelOf({ name: fourEyes }) })}</span>}
    </span>
  )
}
