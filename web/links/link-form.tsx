import { Button, TextInput } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import { PasswordField } from '../parts/password-field.tsx'

/** The fields that these pages ask for. Two of them are a `password` for the service. */
const fields = {
  name: { name: 'name', label: 'links.name', autoComplete: 'name', maxLength: 200 },
  email: { name: 'email', label: 'signIn.email', type: 'email', autoComplete: 'email', maxLength: 254 },
  currentPassword: {
    name: 'password',
    label: 'links.currentPassword',
    type: 'password',
    autoComplete: 'current-password',
    maxLength: 128,
  },
  newPassword: {
    name: 'password',
    label: 'links.newPassword',
    type: 'password',
    hint: 'links.passwordHint',
    autoComplete: 'new-password',
    minLength: 8,
    maxLength: 128,
  },
  repeat: {
    name: 'password_confirmation',
    label: 'links.repeat',
    type: 'password',
    autoComplete: 'new-password',
    maxLength: 128,
  },
} as const

export type LinkValues = Readonly<Record<string, string>>

/** A form whose problems stand below their fields, in the words of the service; the first of them takes the focus. */
export function LinkForm({
  ask,
  action,
  sending,
}: {
  readonly ask: readonly (keyof typeof fields)[]
  readonly action: string
  readonly sending: UseMutationResult<unknown, Error, LinkValues>
}) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const form = useRef<HTMLFormElement>(null)
  const [isDifferent, setIsDifferent] = useState(false)
  const errors: LinkValues = isDifferent ? { password_confirmation: t('links.differs') } : fieldErrorsOf(sending.error)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [isDifferent, sending.error])

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    )
    const differs = ask.includes('repeat') && values['password'] !== values['password_confirmation']
    setIsDifferent(differs)
    if (!differs) sending.mutate(values)
  }
  const names: readonly string[] = ask.map((one) => fields[one].name)
  const isBelowField = Object.keys(errors).some((name) => names.includes(name))
  return (
    <form className="stack" ref={form} onSubmit={submit}>
      {ask.map((one, index) => {
        const { label, ...field } = fields[one]
        const { hint, type, ...attributes } = { hint: undefined, type: 'text', ...field }
        const props = {
          ...attributes,
          label: t(label),
          description: hint && t(hint),
          error: errors[attributes.name],
          required: true,
          withAsterisk: false,
          autoFocus: index === 0,
        }
        return type === 'password' ? (
          <PasswordField key={one} {...props} />
        ) : (
          <TextInput key={one} {...props} type={type} />
        )
      })}
      {sending.error && !isDifferent && !isBelowField && (
        <p className="problem" role="alert">
          {messageOf(sending.error)}
        </p>
      )}
      <Button type="submit" loading={sending.isPending} fullWidth>
        {action}
      </Button>
    </form>
  )
}
