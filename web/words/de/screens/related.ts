import type { Words } from '../../words.ts'

export const related: Words['related'] = {
  title: 'Von derselben Person',
  none: 'Sonst noch nichts.',
  all: 'Alle {{count}}',
}
