import type { Words } from '../words.ts'

export const bell: Words['bell'] = {
  open_one: 'Benachrichtigungen, {{count}} ungelesen',
  open_other: 'Benachrichtigungen, {{count}} ungelesen',
  title: 'Benachrichtigungen',
  readAll: 'Alle als gelesen markieren',
  unread: 'ungelesen',
  empty: 'Nichts Neues',
  emptyWhy: 'Hier erscheint, was Sie betrifft: Aufgaben, Erwähnungen, Änderungen.',
}
