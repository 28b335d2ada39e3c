import { Select, useMantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../api/permissions.ts'
import { useChangeAccount } from '../api/profile.ts'
import { Title } from '../parts/title.tsx'
import { leaveTo } from '../shell/leave-to.ts'
import { changeLanguage, type Language, languages } from '../words/words.ts'
import { AccountForm } from './account-form.tsx'
import { ActAs } from './act-as.tsx'
import { ApiKeys } from './api-keys.tsx'
import { AwayForm } from './away-form.tsx'
import { MessengerLink } from './messenger-link.tsx'
import { PreferencesForm } from './preferences-form.tsx'
import { SecondFactor } from './second-factor.tsx'
import { SessionList } from './session-list.tsx'

const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** The own account: name and password, second factor, sessions, notifications, language and appearance. */
export function ProfileView() {
  const { t, i18n } = useTranslation()
  const user = useUser()
  const account = useChangeAccount()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div className="screen profile">
      <Title>{t('profile.title')}</Title>
      <h1>{user.name}</h1>
      <p className="quiet">{user.email}</p>
      {user.mfa_setup_required && (
        <p className="problem" role="alert">
          {t('profile.mfaRequired')}
        </p>
      )}
      <Section title={t('profile.appearance')}>
        <Select
          label={t('profile.language')}
          data={languages.map((value) => ({ value, label: languageNames[value] }))}
          value={i18n.language}
          allowDeselect={false}
          onChange={(language) => {
            if (!language) return
            void changeLanguage(language as Language)
            // Mails of the service come in it too.
            account.mutate({ locale: language })
          }}
        />
        <Select
          label={t('shell.appearance')}
          data={(['light', 'dark', 'auto'] as const).map((value) => ({ value, label: t(`shell.${value}`) }))}
          value={colorScheme}
          allowDeselect={false}
          onChange={(scheme) => scheme && setColorScheme(scheme)}
        />
      </Section>
      <Section title={t('profile.account')}>
        <AccountForm user={user} />
      </Section>
      <Section title={t('profile.secondFactor')}>
        <SecondFactor user={user} />
      </Section>
      <Section title={t('profile.away')}>
        <AwayForm user={user} />
      </Section>
      <Section title={t('profile.notifications')}>
        <PreferencesForm />
      </Section>
      {!user.impersonator && (
        <Section title={t('profile.messenger')}>
          <MessengerLink user={user} />
        </Section>
      )}
      <Section title={t('profile.sessions')}>
        <SessionList />
      </Section>
      {user.permissions.includes('*') && !user.impersonator && (
        <>
          <Section title={t('profile.apiKeys')}>
            <ApiKeys />
          </Section>
          <Section title={t('profile.actAs')}>
            <ActAs onDone={() => leaveTo('/')} />
          </Section>
        </>
      )}
    </div>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="profile-section" aria-label={title}>
    <h2>{title}</h2>
    <div className="stack">{children}</div>
  </section>
)
