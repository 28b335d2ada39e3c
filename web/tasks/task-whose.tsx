import { useTranslation } from 'react-i18next'
import type { Task } from '../api/about-record.ts'
import { usePersonName } from '../api/people.ts'
import { useUser } from '../api/permissions.ts'
import { labelOf } from '../api/tables.ts'

interface TaskWhoseProps {
  readonly task: Task
  readonly isMine: boolean
}

/** Whose a task is, for whom, and to whom it returns. */
export function TaskWhose({ task, isMine }: TaskWhoseProps) {
  const { t } = useTranslation()
  const { four_eyes: fourEyes, candidates } = task
  const whose = useWhose(task, isMine)
  const roles = candidates.roles.join(', ')
  return (
    <span className="quiet small task-whose">
      {whose ?? (roles === '' ? t('tasks.free') : t('tasks.offeredTo', { roles }))}
      {fourEyes !== null && <span> · {t('tasks.fourEyes', { element: labelOf({ name: fourEyes }) })}</span>}
    </span>
  )
}

/** Undefined for a task that nobody has. */
function useWhose(task: Task, isMine: boolean): string | undefined {
  const { t } = useTranslation()
  const user = useUser()
  const { assignee, owner, delegation, substituted_for: substituted } = task
  const has = usePersonName(assignee) ?? '…'
  const asks = usePersonName(owner) ?? '…'
  const away = usePersonName(substituted) ?? '…'
  if (assignee === null) return undefined
  const isHis = assignee === user.id
  if (delegation === 'pending' && owner === user.id) return t('tasks.youAsked', { name: has })
  if (delegation === 'pending')
    return isHis || isMine ? t('tasks.asksYou', { name: asks }) : t('tasks.asked', { name: has, owner: asks })
  if (substituted === user.id) return t('tasks.standsInForYou', { name: has })
  if (isHis && substituted !== null) return t('tasks.for', { name: away })
  if (isHis) return t(delegation === 'resolved' ? 'tasks.returned' : 'tasks.yours')
  if (isMine) return t('tasks.for', { name: has })
  return substituted === null ? t('tasks.theirs', { name: has }) : t('tasks.theirsFor', { name: has, owner: away })
}
