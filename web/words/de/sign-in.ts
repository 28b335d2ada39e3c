import type { Words } from '../words.ts'

export const signIn: Words['signIn'] = {
  title: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  showPassword: 'Passwort anzeigen',
  action: 'Anmelden',
  forgot: 'Passwort vergessen?',
  code: 'Code',
  codeHint: 'Aus Ihrer Authentifizierungs-App, oder ein Wiederherstellungscode.',
  startAgain: 'Von vorn beginnen',
  or: 'oder',
  google: 'Mit Google anmelden',
  microsoft: 'Mit Microsoft anmelden',
  sso: 'Single Sign-on (SSO)',
  providerFailed:
    'Die Anmeldung beim Anbieter hat nicht geklappt. Versuchen Sie es erneut oder fragen Sie Ihre Administration.',
  company: 'Unternehmen wählen',
}
