import { ActionIcon, Button, Menu } from '@mantine/core'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Task } from '../api/about-record.ts'
import { useMessageOf } from '../api/failures.ts'
import { useUser } from '../api/permissions.ts'
import { useChangeTask } from '../api/tasks.ts'
import { type Key, useKeys } from '../keyboard/keyboard.tsx'
import { type Change, ChangeForm } from './change-form.tsx'
import { offersOf } from './offers.ts'

interface TaskToolsProps {
  readonly task: Task
  readonly isMine: boolean
  /** Whether the keys of tasks are for this one. */
  readonly hasKeys: boolean
}

/** Takes a task, gives it back, passes it on, asks somebody, changes when it is due. A refusal is told below. */
export function TaskTools({ task, isMine, hasKeys }: TaskToolsProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const user = useUser()
  const change = useChangeTask(task)
  const [opened, setOpened] = useState<Change>()
  const offers = offersOf(task, user, isMine)
  const open = (one: Change) => (): void => {
    change.reset()
    setOpened(one)
  }
  const claim = (): void => change.mutate({ do: 'claim' })
  const giveBack = (): void => change.mutate({ do: 'unclaim' })
  const forms = [
    ...(offers.passOn ? [{ keys: 't p', label: t('tasks.passOn'), run: open('reassign') }] : []),
    ...(offers.ask ? [{ keys: 't a', label: t('tasks.ask'), run: open('delegate') }] : []),
    ...(offers.changeDue ? [{ keys: 't d', label: t('tasks.changeDue'), run: open('due') }] : []),
  ]
  const keys: readonly Key[] = [
    ...(offers.claim ? [{ keys: 't c', label: t('tasks.claim'), run: claim }] : []),
    ...(offers.giveBack ? [{ keys: 't g', label: t('tasks.giveBack'), run: giveBack }] : []),
    ...forms,
  ]
  useKeys(hasKeys ? keys.map((key) => ({ ...key, label: t('tasks.key', { action: key.label }) })) : [])
  const name = task.name ?? task.element_id
  const button = (label: string, run: () => void) => (
    <Button size="compact-sm" variant="default" loading={change.isPending} onClick={run}>
      {label}
    </Button>
  )
  return (
    <>
      <span className="task-actions">
        {offers.claim && button(t('tasks.claim'), claim)}
        {offers.takeBack && button(t('tasks.takeBack'), () => change.mutate({ do: 'reassign', to: user.id }))}
        {offers.giveBack && button(t('tasks.giveBack'), giveBack)}
        {forms.length > 0 && (
          // What was chosen has the focus, not the menu that it was chosen from.
          <Menu position="bottom-end" returnFocus={opened === undefined}>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size={26} aria-label={t('tasks.more', { task: name })}>
                <Ellipsis size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {forms.map(({ keys: id, label, run }) => (
                <Menu.Item key={id} onClick={run}>
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
      {change.error && (
        <span className="problem task-form" role="alert">
          {messageOf(change.error)}
        </span>
      )}
      {opened && <ChangeForm key={opened} task={task} change={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}
