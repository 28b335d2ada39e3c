import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { forgotPassword } from '../api/links.ts'
import { LinkCard, LinkOutcome } from './link-card.tsx'
import { LinkForm, type LinkValues } from './link-form.tsx'
import { ToSignIn } from './to-sign-in.tsx'

/** Asks for a mail with a link, for a person who forgot the password. */
export function ForgotPasswordView() {
  const { t } = useTranslation()
  const asking = useMutation({ mutationFn: ({ email = '' }: LinkValues) => forgotPassword(email) })
  if (asking.isSuccess) return <LinkOutcome title={t('links.forgotDoneTitle')} text={t('links.forgotDone')} />
  return (
    <LinkCard title={t('links.forgotTitle')}>
      <p>{t('links.forgotText')}</p>
      <LinkForm ask={['email']} action={t('links.forgotAction')} sending={asking} />
      <ToSignIn />
    </LinkCard>
  )
}
