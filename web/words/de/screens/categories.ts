import type { Words } from '../../words.ts'

export const categories: Words['categories'] = {
  system: 'System und Aufgaben',
  message: 'Nachrichten',
  mention: 'Erwähnungen',
  comment: 'Kommentare',
  change: 'Änderungen',
  subscription: 'Abonnements',
}
