import { ActionIcon, Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../../api/failures.ts'
import { useUser } from '../../api/permissions.ts'
import { type PortalRequest, useAddPerson, useLeave, useRemovePerson } from '../../api/portal.ts'
import { moduleOf } from '../../fields/registry.ts'

const person = { name: 'person', type: 'user' } as const
const { Edit: ChoosePerson } = moduleOf(person)

interface PeopleProps {
  readonly request: PortalRequest
  readonly mayAdd: boolean
}

/** Who else sees a request. Whoever sent it adds and removes people; who was added may leave. */
export function People({ request, mayAdd }: PeopleProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const { id, watchers, is_own: isOwn } = request
  const add = useAddPerson(id)
  const remove = useRemovePerson(id)
  const [isAdding, setAdding] = useState(false)
  const error = add.error ?? remove.error
  return (
    <section className="portal-card" aria-label={t('portal.people')}>
      <h2>{t('portal.people')}</h2>
      {watchers.length === 0 && <p className="quiet">{isOwn ? t('portal.noPeople') : t('portal.onlyTeam')}</p>}
      <ul className="plain-list people">
        {watchers.map(({ id: one, name }) => (
          <li key={one}>
            <span>{name}</span>
            {mayAdd && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={44}
                aria-label={t('portal.removePerson', { name })}
                loading={remove.isPending && remove.variables === one}
                onClick={() => remove.mutate(one)}
              >
                <X size={18} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {mayAdd && !isAdding && (
        <Button variant="default" loading={add.isPending} onClick={() => setAdding(true)}>
          {t('portal.addPerson')}
        </Button>
      )}
      {isAdding && ChoosePerson && (
        <ChoosePerson
          field={person}
          value={null}
          label={t('portal.person')}
          required={false}
          autoFocus
          onChange={(one) => {
            if (typeof one === 'number') add.mutate(one)
            setAdding(false)
          }}
        />
      )}
      {error && (
        <p className="problem" role="alert">
          {messageOf(error)}
        </p>
      )}
      {!isOwn && <Leave id={id} />}
    </section>
  )
}

/** Leaves the request of somebody else, after a second look: nobody can undo it for oneself. */
function Leave({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const user = useUser()
  const leave = useLeave(id)
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('portal.leave')}
      </Button>
    )
  return (
    <div className="stack" role="group" aria-label={t('portal.leave')}>
      <p>{t('portal.leaveWhy')}</p>
      <div className="portal-actions">
        <Button
          loading={leave.isPending}
          onClick={() => leave.mutate(user.id, { onSuccess: () => void navigate({ to: '/portal/requests' }) })}
        >
          {t('portal.leave')}
        </Button>
        <Button variant="default" onClick={() => setAsking(false)}>
          {t('parts.cancel')}
        </Button>
      </div>
      {leave.error && (
        <p className="problem" role="alert">
          {messageOf(leave.error)}
        </p>
      )}
    </div>
  )
}
