import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import { usePersonName } from '../api/people.ts'
import { useChangeAccount } from '../api/profile.ts'
import type { CurrentUser } from '../api/session.ts'
import { moduleOf } from '../fields/registry.ts'
import { Day } from '../parts/time.tsx'
import { dayOf, endOfDay, startOfDay } from './days.ts'

const person = { name: 'substitute', type: 'user' } as const
const { Edit: ChoosePerson } = moduleOf(person)

/** Who has the tasks of the person while they are away, and how that is ended. */
export function AwayForm({ user }: { readonly user: CurrentUser }) {
  const { substitute_id: substitute } = user
  return substitute === undefined ? <GoAway /> : <Away user={user} substitute={substitute} />
}

function Away({ user, substitute }: { readonly user: CurrentUser; readonly substitute: number }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const name = usePersonName(substitute) ?? '…'
  const end = useChangeAccount()
  const { from, to } = user
  // oxlint-disable-next-line react/purity -- what is over is told when the form is drawn
  const now = Date.now()
  const isOver = to !== undefined && Date.parse(to) <= now
  const isLater = from !== undefined && Date.parse(from) > now
  const says = isOver ? 'profile.awayWas' : isLater ? 'profile.awayWill' : 'profile.awayIs'
  return (
    <>
      <p role="status">{t(says, { name })}</p>
      <p className="quiet">
        {from !== undefined && (
          <>
            {t('profile.awayFrom')} <Day date={dayOf(from)} />{' '}
          </>
        )}
        {to === undefined ? (
          t('profile.awayOpen')
        ) : (
          <>
            {/* The last day, not the moment after it. */}
            {t('profile.awayTo')} <Day date={dayOf(to, -1)} />
          </>
        )}
      </p>
      {end.error && (
        <p className="problem" role="alert">
          {messageOf(end.error)}
        </p>
      )}
      <Button variant="default" loading={end.isPending} onClick={() => end.mutate({ substitute_id: null })}>
        {t(isOver ? 'profile.awayForget' : 'profile.awayEnd')}
      </Button>
    </>
  )
}

function GoAway() {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const change = useChangeAccount()
  const [substitute, setSubstitute] = useState<unknown>(null)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const isBackwards = from !== '' && to !== '' && to < from
  const errors = fieldErrorsOf(change.error)
  const isAtField = ['substitute_id', 'from', 'to'].some((name) => Object.hasOwn(errors, name))
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (typeof substitute !== 'number' || isBackwards || change.isPending) return
    change.mutate({
      substitute_id: substitute,
      from: from === '' ? null : startOfDay(from),
      to: to === '' ? null : endOfDay(to),
    })
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <p className="quiet">{t('profile.awayWhy')}</p>
      {ChoosePerson && (
        <ChoosePerson
          field={person}
          label={t('profile.substitute')}
          value={substitute}
          onChange={setSubstitute}
          error={errors['substitute_id']}
        />
      )}
      <TextInput
        type="date"
        label={t('profile.awayFirst')}
        description={t('profile.awayFirstHint')}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        error={errors['from']}
      />
      <TextInput
        type="date"
        label={t('profile.awayLast')}
        description={t('profile.awayLastHint')}
        value={to}
        min={from || undefined}
        onChange={(event) => setTo(event.currentTarget.value)}
        // The service refuses a period that ends before it begins, in terms of programs.
        error={isBackwards || errors['to'] ? t(from === '' ? 'profile.awayOver' : 'profile.awayOrder') : undefined}
      />
      {change.error && !isAtField && (
        <p className="problem" role="alert">
          {messageOf(change.error)}
        </p>
      )}
      <Button
        type="submit"
        variant="default"
        disabled={typeof substitute !== 'number' || isBackwards}
        loading={change.isPending}
      >
        {t('profile.awaySet')}
      </Button>
    </form>
  )
}
