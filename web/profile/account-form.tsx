import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import { useChangeAccount } from '../api/profile.ts'
import type { CurrentUser } from '../api/session.ts'
import { PasswordField } from '../parts/password-field.tsx'

/** Name and password of the person. */
export function AccountForm({ user }: { readonly user: CurrentUser }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const [name, setName] = useState(user.name)
  const rename = useChangeAccount()
  const change = useChangeAccount()
  const errors = fieldErrorsOf(change.error)
  function changePassword(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    change.mutate({ current_password: String(form.get('current')), password: String(form.get('password')) })
  }
  return (
    <>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate({ name })
        }}
      >
        <TextInput
          label={t('profile.name')}
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={rename.error ? messageOf(rename.error) : undefined}
        />
        <Button
          type="submit"
          variant="default"
          disabled={name === user.name || name.trim() === ''}
          loading={rename.isPending}
        >
          {t('record.save')}
        </Button>
      </form>
      <form className="stack" onSubmit={changePassword}>
        <PasswordField
          name="current"
          label={t('profile.currentPassword')}
          autoComplete="current-password"
          error={errors['current_password']}
        />
        <PasswordField
          name="password"
          label={t('profile.newPassword')}
          description={t('profile.newPasswordHint')}
          autoComplete="new-password"
          error={errors['password']}
        />
        {change.error && Object.keys(errors).length === 0 && (
          <p className="problem" role="alert">
            {messageOf(change.error)}
          </p>
        )}
        <Button type="submit" variant="default" loading={change.isPending}>
          {t('profile.changePassword')}
        </Button>
      </form>
    </>
  )
}
