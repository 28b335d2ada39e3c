import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { useMessageOf } from '../api/failures.ts'
import { queryClient } from '../api/query-client.ts'
import { sessionQuery } from '../api/session.ts'
import { signInOptionsQuery } from '../api/sign-in-options.ts'
import { signIn, signInWithExchange } from '../api/sign-in.ts'
import { PasswordField } from '../parts/password-field.tsx'
import { beginAtProvider, endAtProvider } from './at-provider.ts'
import { CodeForm } from './code-form.tsx'

/** Sign-in with a password, a second factor, or at a provider. */
export function SignInView() {
  const { t } = useTranslation()
  const { to = '/', code, error, tenant } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [mfaToken, setMfaToken] = useState<string>()

  async function enter(): Promise<void> {
    const { tenants } = await queryClient.fetchQuery(sessionQuery)
    if (tenants.length > 1) await navigate({ to: '/choose-company', search: { to } })
    else await navigate({ href: to, replace: true })
  }
  const exchange = useMutation({ mutationFn: signInWithExchange, onSuccess: enter })
  const [isForeign, setForeign] = useState(false)
  const takeCode = useEffectEvent((given: string) => {
    if (!exchange.isIdle) return
    if (endAtProvider()) exchange.mutate(given)
    else setForeign(true)
  })
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- a code is taken once, and leaves a mark in the browser
    if (code !== undefined) takeCode(code)
  }, [code])

  return (
    <main className="sign-in">
      <div className="card">
        <h1>{t('signIn.title')}</h1>
        {(exchange.error || isForeign || error !== undefined) && (
          <p className="problem" role="alert">
            {t('signIn.providerFailed')}
          </p>
        )}
        {mfaToken === undefined ? (
          <PasswordForm onDone={enter} onCode={setMfaToken} />
        ) : (
          <CodeForm mfaToken={mfaToken} onDone={enter} onBack={() => setMfaToken(undefined)} />
        )}
        {mfaToken === undefined && <Providers to={to} tenant={tenant} />}
      </div>
    </main>
  )
}

function PasswordForm({
  onDone,
  onCode,
}: {
  readonly onDone: () => Promise<void>
  readonly onCode: (token: string) => void
}) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const login = useMutation({
    mutationFn: signIn,
    onSuccess: (step) => (step.done ? onDone() : onCode(step.mfaToken)),
  })
  const isWrong = login.error instanceof ApiError && [401, 422].includes(login.error.status)
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    login.mutate({ email: String(form.get('email')), password: String(form.get('password')) })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        name="email"
        type="email"
        label={t('signIn.email')}
        autoComplete="username"
        required
        autoFocus
        withAsterisk={false}
        error={isWrong}
      />
      <PasswordField
        name="password"
        label={t('signIn.password')}
        autoComplete="current-password"
        error={isWrong && messageOf(login.error)}
      />
      {login.error && !isWrong && (
        <p className="problem" role="alert">
          {messageOf(login.error)}
        </p>
      )}
      <Button type="submit" loading={login.isPending} fullWidth>
        {t('signIn.action')}
      </Button>
      <a href="/password/forgot">{t('signIn.forgot')}</a>
    </form>
  )
}

/** The providers that this service is set up with. */
function Providers({ to, tenant }: { readonly to: string; readonly tenant: string | undefined }) {
  const { t } = useTranslation()
  const { data } = useQuery(signInOptionsQuery(tenant))
  if (!data?.providers.length) return null
  const company: Record<string, string> = tenant === undefined ? {} : { tenant }
  const redirect = `/sign-in?${new URLSearchParams({ to, ...company }).toString()}`
  const query = new URLSearchParams({ redirect, ...company }).toString()
  return (
    <div className="stack providers">
      <p className="quiet divider">{t('signIn.or')}</p>
      {data.providers.map((provider) => (
        <Button
          key={provider}
          variant="default"
          component="a"
          href={`/api/auth/${provider}/redirect?${query}`}
          onClick={beginAtProvider}
          onAuxClick={beginAtProvider}
          fullWidth
        >
          {t(`signIn.${provider}`)}
        </Button>
      ))}
    </div>
  )
}
