import type { Words } from '../words.ts'

export const myWork: Words['myWork'] = {
  title: 'Meine Arbeit',
  tasks: 'Aufgaben',
  assigned: 'Mir zugewiesen',
  mentions: 'Erwähnungen',
  snoozed: 'Zurückgestellt',
  all: 'Alle {{count, number}} zeigen',
  empty: 'Nichts wartet auf Sie',
  emptyWhy: 'Aufgaben, Ihnen zugewiesene Datensätze, Erwähnungen und Zurückgestelltes erscheinen hier.',
  keyNext: 'Nächster Eintrag',
  keyPrevious: 'Voriger Eintrag',
}
