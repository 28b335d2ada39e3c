import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { en } from './en/en.ts'
import { quoteIn } from './service-words.ts'

type Translated<English> = { readonly [Area in keyof English]: { readonly [Key in keyof English[Area]]: string } }
/** The words of a language: the same keys as in English. */
export type FirstWords = Translated<typeof en>
export type LaterWords = Translated<ScreenWords>
/** The English words of screens, by area: each file of `en/screens` adds its own. */
export interface ScreenWords {}
export type Words = FirstWords & LaterWords

declare global {
  interface ImportMeta {
    /** Every file that matches, as the bundlers read it. */
    glob(pattern: string, options: { readonly eager: true }): Readonly<Record<string, object>>
  }
}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en & ScreenWords }
    enableSelector: false
  }
}

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const load: Readonly<Record<Language, () => Promise<FirstWords>>> = {
  en: async () => (await import('./en/en.ts')).en,
  de: async () => (await import('./de/de.ts')).de,
}
const loadLater: Readonly<Record<Language, () => Promise<LaterWords>>> = {
  en: async () => (await import('./en/later.ts')).later,
  de: async () => (await import('./de/later.ts')).later,
}

const loaded = new Map<Language, Promise<void>>()

/** The words of the screens that are loaded when they are opened; asked for once, and again after a failure. */
export function laterWords(language: Language = i18next.language as Language): Promise<void> {
  const adding =
    loaded.get(language) ??
    loadLater[language]().then((words) => {
      i18next.addResourceBundle(language, 'translation', words, true)
    })
  loaded.set(language, adding)
  adding.catch(() => loaded.delete(language))
  return adding
}

const key = 'language'

/** What was chosen here, else what the browser prefers. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(key), ...navigator.languages].map((one) => one?.slice(0, 2))
  return languages.find((language) => language === wanted.find((one) => languages.includes(one as Language))) ?? 'en'
}

/** Loads the words of one language; the others stay where they are until they are chosen. */
export async function startWords(language: Language = preferredLanguage()): Promise<void> {
  const [translation] = await Promise.all([load[language](), quoteIn(language)])
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation } },
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  showLanguage(language)
}

/** Changes the language of the app. It is remembered in this browser. */
export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(key, language)
  i18next.addResourceBundle(language, 'translation', await load[language](), true)
  await Promise.all([laterWords(language), quoteIn(language)])
  await i18next.changeLanguage(language)
  showLanguage(language)
}

function showLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
}
