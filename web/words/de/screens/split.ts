import type { Words } from '../../words.ts'

export const split: Words['split'] = {
  menu: 'Kommentare abtrennen …',
  title: 'Einen Datensatz aus Kommentaren machen',
  why: 'Die gewählten Kommentare verlassen diesen Datensatz für einen neuen.',
  empty: 'Noch keine Kommentare',
  emptyWhy: 'Nur aus Kommentaren kann ein eigener Datensatz werden.',
  action: 'Datensatz anlegen',
}
