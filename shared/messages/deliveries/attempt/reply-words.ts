/** What the service itself says in replies by mail, by language. */
const words = {
  en: {
    wrote: (who: string, when: string) => `On ${when}, ${who} wrote:`,
    lost: (names: string) => `[Not attached, because it was removed: ${names}]`,
    links: (day: string) => `Files, to download until ${day}:`,
    forwarded: {
      title: '---------- Forwarded message ----------',
      from: 'From',
      date: 'Date',
      subject: 'Subject',
      to: 'To',
      cc: 'Cc',
    },
  },
  de: {
    wrote: (who: string, when: string) => `Am ${when} schrieb ${who}:`,
    lost: (names: string) => `[Nicht angehängt, weil es entfernt wurde: ${names}]`,
    links: (day: string) => `Dateien, herunterzuladen bis ${day}:`,
    forwarded: {
      title: '---------- Weitergeleitete Nachricht ----------',
      from: 'Von',
      date: 'Datum',
      subject: 'Betreff',
      to: 'An',
      cc: 'Kopie',
    },
  },
} as const

/** The words for somebody; in English where their language is not known. */
export const replyWords = (locale: string | null): (typeof words)['en' | 'de'] =>
  words[locale?.toLowerCase().split('-')[0] === 'de' ? 'de' : 'en']
