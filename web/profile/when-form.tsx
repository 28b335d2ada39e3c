import { Checkbox, Group, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import type { Preferences, useChangePreferences } from '../api/profile.ts'

interface WhenFormProps {
  readonly preferences: Preferences
  readonly change: ReturnType<typeof useChangePreferences>
}

/** What quiet hours begin with. */
const night = { from: '22:00', to: '07:00' }
const digests = { none: 'profile.digestNone', hourly: 'profile.digestHourly', daily: 'profile.digestDaily' } as const
const ofCompany = ''

/** When mails and messages that notify the person leave: each change is stored at once. */
export function WhenForm({ preferences, change }: WhenFormProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const { digest, quiet, time_zone: timeZone } = preferences
  const [hours, setHours] = useState(quiet ?? night)
  const errors = fieldErrorsOf(change.error)
  const problem = change.error && Object.keys(errors).length === 0 ? messageOf(change.error) : errors['quiet']

  function store(next: typeof hours): void {
    setHours(next)
    // A field that is being emptied is no time.
    if (next.from !== '' && next.to !== '') change.mutate({ quiet: next })
  }
  const time = (side: 'from' | 'to') => (
    <TextInput
      type="time"
      label={t(side === 'from' ? 'profile.quietFrom' : 'profile.quietTo')}
      value={hours[side]}
      error={errors[`quiet.${side}`]}
      onChange={(event) => store({ ...hours, [side]: event.currentTarget.value })}
    />
  )
  return (
    <>
      <Select
        label={t('profile.digest')}
        description={t('profile.digestWhy')}
        data={Object.entries(digests).map(([value, label]) => ({ value, label: t(label) }))}
        value={digest}
        allowDeselect={false}
        onChange={(value) => value && change.mutate({ digest: value as Preferences['digest'] })}
      />
      <Checkbox
        label={t('profile.quiet')}
        description={t('profile.quietWhy')}
        checked={quiet !== null}
        onChange={(event) => change.mutate({ quiet: event.currentTarget.checked ? hours : null })}
      />
      {quiet !== null && (
        <Group gap="sm" align="flex-start">
          {time('from')}
          {time('to')}
        </Group>
      )}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <Select
        label={t('profile.timeZone')}
        data={[
          { value: ofCompany, label: t('profile.timeZoneOfCompany') },
          ...Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value.replaceAll('_', ' ') })),
        ]}
        value={timeZone ?? ofCompany}
        searchable
        allowDeselect={false}
        limit={100}
        error={errors['time_zone']}
        onChange={(value) => value !== null && change.mutate({ time_zone: value === ofCompany ? null : value })}
      />
    </>
  )
}
