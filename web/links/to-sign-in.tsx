import { useTranslation } from 'react-i18next'

/** Leads to the sign-in, by another document: this one may contact less (`functions/api/web-app/page-policy.ts`). */
export function ToSignIn() {
  const { t } = useTranslation()
  return <a href="/sign-in">{t('signIn.action')}</a>
}
