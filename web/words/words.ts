import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { en } from './en/en.ts'

/** The words of a language: the same keys as in English. */
export type Words = { readonly [Area in keyof typeof en]: { readonly [Key in keyof (typeof en)[Area]]: string } }

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
    enableSelector: false
  }
}

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const load: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import('./en/en.ts')).en,
  de: async () => (await import('./de/de.ts')).de,
}

const key = 'language'

/** What was chosen here, else what the browser prefers. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(key), ...navigator.languages].map((one) => one?.slice(0, 2))
  return languages.find((language) => language === wanted.find((one) => languages.includes(one as Language))) ?? 'en'
}

/** Loads the words of one language; the others stay where they are until they are chosen. */
export async function startWords(language: Language = preferredLanguage()): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: await load[language]() } },
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  showLanguage(language)
}

/** Changes the language of the app. It is remembered in this browser. */
export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(key, language)
  i18next.addResourceBundle(language, 'translation', await load[language]())
  await i18next.changeLanguage(language)
  showLanguage(language)
}

function showLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
}
