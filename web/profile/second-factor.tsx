import { Button, Code, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { useConfirmSecondFactor, useRemoveSecondFactor, useSetUpSecondFactor } from '../api/profile.ts'
import type { CurrentUser } from '../api/session.ts'
import { PasswordField } from '../parts/password-field.tsx'

const textOf = (event: FormEvent<HTMLFormElement>, name: string): string => {
  event.preventDefault()
  return String(new FormData(event.currentTarget).get(name)).trim()
}

/** Sets a second factor up, or removes it. */
export function SecondFactor({ user }: { readonly user: CurrentUser }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const setUp = useSetUpSecondFactor()
  const confirm = useConfirmSecondFactor()
  const remove = useRemoveSecondFactor()

  if (user.mfa_enabled)
    return (
      <form className="stack" onSubmit={(event) => remove.mutate(textOf(event, 'code'))}>
        <p>{t('profile.mfaOn')}</p>
        <TextInput
          name="code"
          label={t('signIn.code')}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          error={remove.error ? messageOf(remove.error) : undefined}
        />
        <Button type="submit" variant="default" loading={remove.isPending}>
          {t('profile.mfaRemove')}
        </Button>
      </form>
    )
  if (setUp.data)
    return (
      <form className="stack" onSubmit={(event) => confirm.mutate(textOf(event, 'code'))}>
        <p>{t('profile.mfaSecret')}</p>
        <Code block>{setUp.data.secret.match(/.{1,4}/g)?.join(' ')}</Code>
        <a href={setUp.data.otpauth_url}>{t('profile.mfaOpenApp')}</a>
        <p>{t('profile.mfaRecovery')}</p>
        <Code block>{setUp.data.recovery_codes.join('\n')}</Code>
        <TextInput
          name="code"
          label={t('signIn.code')}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          error={confirm.error ? messageOf(confirm.error) : undefined}
        />
        <Button type="submit" loading={confirm.isPending}>
          {t('profile.mfaConfirm')}
        </Button>
      </form>
    )
  return (
    <form className="stack" onSubmit={(event) => setUp.mutate(textOf(event, 'password'))}>
      <p className="quiet">{t('profile.mfaOff')}</p>
      <PasswordField
        name="password"
        label={t('signIn.password')}
        autoComplete="current-password"
        error={setUp.error ? messageOf(setUp.error) : undefined}
      />
      <Button type="submit" variant="default" loading={setUp.isPending}>
        {t('profile.mfaSetUp')}
      </Button>
    </form>
  )
}
