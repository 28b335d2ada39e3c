import type { Words } from '../words.ts'

export const macros: Words['macros'] = {
  title: 'Makros',
  done: '{{name}}: erledigt.',
  keyNext: '{{name}}, dann der nächste Datensatz',
}
