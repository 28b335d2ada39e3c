import type { Words } from '../words.ts'

export const views: Words['views'] = {
  title: 'Ansichten',
  all: 'Alle',
  save: 'Speichern',
  saveAs: 'Als neue Ansicht speichern …',
  edit: 'Ansicht bearbeiten …',
  delete: 'Ansicht löschen',
  deleted: 'Die Ansicht {{name}} wurde gelöscht.',
  actions: 'Aktionen für Ansichten',
  name: 'Name',
  shared: 'Geteilt',
  sharedWhy: 'Alle, die diese Tabelle lesen dürfen, sehen die Ansicht.',
  default: 'Diese Tabelle damit öffnen',
}
