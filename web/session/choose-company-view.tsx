import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { sessionQuery, switchCompany } from '../api/session.ts'

/** For a person of several companies, after the sign-in; the one used last comes first. */
export function ChooseCompanyView() {
  const { t } = useTranslation()
  const { to = '/' } = useSearch({ from: '/choose-company' })
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const { data: user } = useQuery(sessionQuery)
  const go = () => navigate({ href: to, replace: true })
  const enter = useMutation({ mutationFn: switchCompany, onSuccess: go })
  const others = user?.tenants.filter(({ slug }) => slug !== user.tenant.slug) ?? []
  return (
    <main className="sign-in">
      <div className="card stack">
        <h1>{t('signIn.company')}</h1>
        {user && (
          <Button fullWidth autoFocus onClick={() => void go()}>
            {user.tenant.name}
          </Button>
        )}
        {others.map(({ slug, name }) => (
          <Button
            key={slug}
            variant="default"
            fullWidth
            loading={enter.isPending && enter.variables === slug}
            onClick={() => enter.mutate(slug)}
          >
            {name}
          </Button>
        ))}
        {enter.error && (
          <p className="problem" role="alert">
            {messageOf(enter.error)}
          </p>
        )}
      </div>
    </main>
  )
}
