import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { useUser } from '../api/permissions.ts'
import { useStopWatching, useWatch, watchersQuery } from '../api/watchers.ts'
import { moduleOf } from '../fields/registry.ts'
import { useKeys } from '../keyboard/keyboard.tsx'

interface WatchersPanelProps {
  readonly model: string
  readonly id: number
  /** Whether others may be added and removed. */
  readonly mayChange: boolean
}

const person = { name: 'person', type: 'user' } as const
const { Edit: ChoosePerson } = moduleOf(person)

/** Who is told of what happens here. */
export function WatchersPanel({ model, id, mayChange }: WatchersPanelProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const user = useUser()
  const { data } = useQuery(watchersQuery(model, id))
  const watch = useWatch(model, id)
  const stop = useStopWatching(model, id)
  const [isAdding, setAdding] = useState(false)
  const isWatching = data?.is_watching === true
  const toggle = (): void => (isWatching ? stop : watch).mutate([])
  const label = t(isWatching ? 'watchers.stop' : 'watchers.watch')
  useKeys(data ? [{ keys: 'w', label, run: toggle }] : [])
  if (!data) return null
  const error = watch.error ?? stop.error
  return (
    <section className="side-panel" aria-label={t('watchers.title')}>
      <h2>{t('watchers.title')}</h2>
      {data.watchers.length === 0 && <p className="quiet">{t('watchers.empty')}</p>}
      <ul className="plain-list watchers">
        {data.watchers.map(({ id: one, name }) => (
          <li key={one}>
            <span>{name}</span>
            {mayChange && one !== user.id && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('watchers.remove', { name })}
                onClick={() => stop.mutate([one])}
              >
                <X size={14} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      <div className="task-actions">
        <Button size="compact-sm" variant="default" loading={watch.isPending || stop.isPending} onClick={toggle}>
          {label}
        </Button>
        {mayChange && !isAdding && (
          <Button size="compact-sm" variant="subtle" onClick={() => setAdding(true)}>
            {t('watchers.add')}
          </Button>
        )}
      </div>
      {isAdding && ChoosePerson && (
        <ChoosePerson
          field={person}
          value={null}
          label={t('watchers.person')}
          required={false}
          autoFocus
          onChange={(one) => {
            if (typeof one === 'number') watch.mutate([one])
            setAdding(false)
          }}
        />
      )}
      {error && (
        <p className="problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </section>
  )
}
