import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import { signInWithCode } from '../api/sign-in.ts'

interface CodeFormProps {
  readonly mfaToken: string
  readonly onDone: () => Promise<void>
  readonly onBack: () => void
}

/** The second step of a sign-in: the code of an authenticator app, or a recovery code. */
export function CodeForm({ mfaToken, onDone, onBack }: CodeFormProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const login = useMutation({ mutationFn: (code: string) => signInWithCode(mfaToken, code), onSuccess: onDone })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    login.mutate(String(new FormData(event.currentTarget).get('code')).trim())
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        name="code"
        label={t('signIn.code')}
        description={t('signIn.codeHint')}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        withAsterisk={false}
        autoFocus
        error={login.error ? (fieldErrorsOf(login.error)['code'] ?? messageOf(login.error)) : undefined}
      />
      <Button type="submit" loading={login.isPending} fullWidth>
        {t('signIn.action')}
      </Button>
      <button type="button" className="link" onClick={onBack}>
        {t('signIn.startAgain')}
      </button>
    </form>
  )
}
