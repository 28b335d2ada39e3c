import type { Words } from '../../words.ts'

export const watchers: Words['watchers'] = {
  title: 'Beobachter',
  empty: 'Niemand beobachtet diesen Datensatz.',
  watch: 'Beobachten',
  stop: 'Nicht mehr beobachten',
  add: 'Jemanden hinzufügen',
  person: 'Person',
  remove: '{{name}} entfernen',
}
