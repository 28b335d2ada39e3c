import type { Words } from '../../words.ts'

export const conflict: Words['conflict'] = {
  title: 'Jemand war schneller',
  why: '{{name}} hat diesen Datensatz geändert, während Sie schrieben. Wählen Sie, was gespeichert wird.',
  mine: 'Ihres:',
  theirs: 'Neu gespeichert:',
  unchanged: 'Unverändert:',
  discard: 'Meines verwerfen',
  store: 'Auswahl speichern',
}
