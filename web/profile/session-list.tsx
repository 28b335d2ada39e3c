import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sessionsQuery, useEndSessions } from '../api/profile.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { Moment } from '../parts/time.tsx'

/** Where the person is signed in, and how to end it. */
export function SessionList() {
  const { t } = useTranslation()
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const end = useEndSessions()
  if (error) return <Failed error={error} retry={refetch} />
  if (!sessions) return <Loading lines={3} height={40} />
  return (
    <>
      <ul className="plain-list sessions">
        {sessions.map((session) => (
          <li key={session.id}>
            <span>
              <b>{clientOf(session.user_agent)}</b> · {session.tenant.name}
              <br />
              <span className="quiet">
                {session.is_current ? t('profile.thisSession') : <Moment at={session.last_used_at} short />}
              </span>
            </span>
            {!session.is_current && (
              <Button size="compact-sm" variant="default" onClick={() => end.mutate(session.id)}>
                {t('profile.endSession')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate('others')}>
          {t('profile.endOthers')}
        </Button>
      )}
    </>
  )
}

/** The name of a browser, or of whatever signed in. */
function clientOf(userAgent: string | null): string {
  const names = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
  const found = names.find((name) => userAgent?.includes(`${name}/`))
  return found?.replace('Edg', 'Edge').replace('OPR', 'Opera') ?? userAgent?.split(' ')[0] ?? '–'
}
