import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Preferences, preferencesQuery, useChangePreferences } from '../api/profile.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { WhenForm } from './when-form.tsx'

const ways = ['bell', 'email', 'messenger'] as const
type Category = keyof Preferences['notifications']

/** Which notifications reach the person, and how: each change is stored at once. */
export function PreferencesForm() {
  const { data, error, refetch } = useQuery(preferencesQuery)
  const change = useChangePreferences()
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={6} />
  const set = (category: Category, way: (typeof ways)[number], isOn: boolean): void =>
    change.mutate({
      notifications: { ...data.notifications, [category]: { ...data.notifications[category], [way]: isOn } },
    })
  return (
    <>
      <WhereTable data={data} set={set} />
      <WhenForm preferences={data} change={change} />
    </>
  )
}

interface WhereTableProps {
  readonly data: Preferences
  readonly set: (category: Category, way: (typeof ways)[number], isOn: boolean) => void
}

/** By category: in the bell, by mail, by messenger. */
function WhereTable({ data, set }: WhereTableProps) {
  const { t } = useTranslation()
  return (
    <table className="preferences">
      <thead>
        <tr>
          <th aria-hidden="true" />
          {ways.map((way) => (
            <th key={way} scope="col">
              {t(`profile.${way}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(Object.keys(data.notifications) as Category[]).map((category) => (
          <tr key={category}>
            <th scope="row">{t(`categories.${category}`)}</th>
            {ways.map((way) => (
              <td key={way}>
                <Checkbox
                  aria-label={`${t(`categories.${category}`)}: ${t(`profile.${way}`)}`}
                  checked={data.notifications[category][way]}
                  onChange={(event) => set(category, way, event.currentTarget.checked)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
